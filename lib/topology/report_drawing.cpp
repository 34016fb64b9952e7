#include "topology/report.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "draw/svg.hpp"

namespace railgauge::topology {
namespace {

using draw::Svg;

constexpr int kMargin = 24;
constexpr int kColumn = 186;  // of a device
constexpr int kGap = 12;
constexpr int kBox = kColumn - kGap;  // width of what is in a column
constexpr int kNodeTop = 64;
constexpr int kNodeHead = 50;  // its two lines of text
constexpr int kChip = 24;      // a rank's line
constexpr int kBridge = 18;    // a bridge's line
constexpr int kDevice = 108;   // height of its box
constexpr int kRail = 26;

/// A port of a picture. Points into the report.
struct Column {
  const RdmaDevice* device = nullptr;
  const RdmaPort* port = nullptr;  // nullptr: nothing is known of its ports
  RailPlane place{};               // rail -1: it is none
};

/// A NUMA node with its ports; without a node, those whose location is unknown.
struct Group {
  const NumaNode* node = nullptr;
  std::vector<Column> columns{};
  std::vector<std::size_t> ranks{};
};

RailPlane place_of(const HostReport& host, const std::string& device, int port) {
  const auto found = std::ranges::find_if(
      host.rails, [&](const Nic& nic) { return nic.device == device && nic.port == port; });
  return found == host.rails.end() ? RailPlane{} : rail_plane_of(*found);
}

/// A device with planes may have many ports that are never up: of those none is drawn.
bool is_idle(const HostReport& host, const RdmaDevice& device, const RdmaPort& port) {
  const bool has_rail = std::ranges::count(host.rails, device.name, &Nic::device) > 0;
  return has_rail && port.state != "ACTIVE" && port.gids.empty();
}

/// All of a host that is drawn: nodes by number, their rails in order, then what is not a rail.
std::vector<Group> groups_of(const HostReport& host) {
  std::map<int, Group> groups;
  for (const NumaNode& node : host.map.nodes) groups[node.number].node = &node;
  for (const RdmaDevice& device : host.map.devices) {
    auto& columns = groups[device.locality.numa_node].columns;
    if (device.ports.empty()) columns.push_back({&device, nullptr, {}});
    for (const RdmaPort& port : device.ports) {
      if (is_idle(host, device, port)) continue;
      columns.push_back({&device, &port, place_of(host, device.name, port.number)});
    }
  }
  for (std::size_t rank = 0; rank < host.ranks.size(); ++rank) {
    groups[host.ranks[rank].numa_node].ranks.push_back(rank);
  }
  std::vector<Group> all;
  for (auto& [number, group] : groups) {
    std::ranges::stable_sort(group.columns, {}, [](const Column& column) {
      return std::tuple(column.place.rail < 0, column.place, column.device->pci.address);
    });
    all.push_back(std::move(group));
  }
  return all;
}

/// "mlx5_0:1"
std::string name_of(const Column& column) {
  const std::string port = column.port == nullptr ? "" : ":" + std::to_string(column.port->number);
  return column.device->name + port;
}

/// The lines below the name: PCI address and link, speed and state, network device, address.
std::vector<std::string> lines_of(const HostMap& map, const Column& column) {
  const PciFunction& pci = column.device->pci;
  std::vector<std::string> lines{pci.address.empty() ? "not on PCI" : pci.address};
  if (pci.link.known()) {
    lines.push_back(to_string(pci.link) +
                    (pci.degraded() != nullptr ? " of " + to_string(pci.most()) : ""));
  }
  if (column.port == nullptr) return lines;
  lines.push_back(speed_text(column.port->gigabits_per_second) + " Gb/s " + column.port->state);
  if (const RdmaGid* gid = chosen_gid(map, *column.port)) {
    lines.push_back(gid->netdev);
    lines.push_back(to_string(gid->gid));
  }
  return lines;
}

/// How large things are, for all nodes alike.
class Measures {
 public:
  explicit Measures(const std::vector<Group>& groups) {
    for (const Group& group : groups) {
      const int across = width_of(group) / kColumn;
      ranks_ = std::max(ranks_, (static_cast<int>(group.ranks.size()) + across - 1) / across);
      for (const Column& column : group.columns) {
        bridges_ = std::max(bridges_, static_cast<int>(column.device->pci.bridges.size()));
      }
      width_ += width_of(group) + kGap;
    }
  }

  static int width_of(const Group& group) {
    return std::max(static_cast<int>(group.columns.size()), 2) * kColumn + kGap;
  }
  [[nodiscard]] int node_height() const { return kNodeHead + ranks_ * kChip + 10; }
  [[nodiscard]] int device_top() const {
    return kNodeTop + node_height() + bridges_ * kBridge + 34;
  }
  [[nodiscard]] int rail_top() const { return device_top() + kDevice + 24; }
  [[nodiscard]] int height() const { return rail_top() + kRail + kMargin; }
  [[nodiscard]] int width() const { return width_; }

 private:
  int ranks_ = 0;    // rows of them in a node
  int bridges_ = 0;  // above any device
  int width_ = 2 * kMargin - kGap;
};

class Drawing {
 public:
  explicit Drawing(const HostReport& host)
      : host_(host),
        groups_(groups_of(host)),
        measures_(groups_),
        svg_(host.map.host, measures_.width(), measures_.height()) {}

  std::string svg() {
    svg_.label(kMargin, 28, host_.map.host, Svg::Text::title);
    svg_.label(kMargin, 48,
               std::to_string(rails_of(host_.rails)) + " rails, " +
                   std::to_string(host_.ranks.size()) + " ranks placed; dashed: no rail");
    int left = kMargin;
    for (const Group& group : groups_) {
      draw(group, left);
      left += Measures::width_of(group) + kGap;
    }
    return svg_.text();
  }

 private:
  void draw(const Group& group, int left) {
    svg_.box(Svg::Box::node, left, kNodeTop, Measures::width_of(group), measures_.node_height());
    draw_head(group.node, left + kGap);
    draw_ranks(group, left + kGap);
    int x = left + kGap;
    for (const Column& column : group.columns) {
      draw_path(column, x);
      draw_device(column, x);
      if (column.place.rail >= 0) draw_rail(column.place, x);
      x += kColumn;
    }
  }

  void draw_head(const NumaNode* node, int x) {
    if (node == nullptr) {
      svg_.label(x, kNodeTop + 20, "no NUMA node, or several", Svg::Text::strong);
      return;
    }
    svg_.label(x, kNodeTop + 20, "NUMA node " + std::to_string(node->number), Svg::Text::strong);
    svg_.fitted(x, kNodeTop + 38, 2 * kColumn - 2 * kGap,
                "cpus " + cpu_list(node->cpus) + ", " + gibibytes(node->memory_bytes));
  }

  void draw_ranks(const Group& group, int left) {
    const int across = Measures::width_of(group) / kColumn;
    for (int i = 0; i < static_cast<int>(group.ranks.size()); ++i) {
      const std::size_t rank = group.ranks[static_cast<std::size_t>(i)];
      const Placement& placed = host_.ranks[rank];
      const CpuSet rails(placed.rails.begin(), placed.rails.end());
      std::string text = "rank " + std::to_string(rank);
      if (!rails.empty()) text += (rails.size() == 1 ? ": rail " : ": rails ") + cpu_list(rails);
      svg_.pill(rails.empty() ? 0 : *rails.begin(), left + i % across * kColumn,
                kNodeTop + kNodeHead + i / across * kChip, kBox, kChip - 4, text);
    }
  }

  void draw_path(const Column& column, int x) {
    const int middle = x + kBox / 2;
    int y = kNodeTop + measures_.node_height();
    svg_.wire(middle, y, measures_.device_top());
    for (const std::string& bridge : column.device->pci.bridges) {
      y += kBridge;
      svg_.dot(middle, y);
      svg_.label(middle + 8, y + 4, bridge, Svg::Text::small);
    }
  }

  void draw_device(const Column& column, int x) {
    const int top = measures_.device_top();
    svg_.box(column.place.rail < 0 ? Svg::Box::dashed : Svg::Box::device, x, top, kBox, kDevice);
    int y = top + 18;
    svg_.label(x + 10, y, name_of(column), Svg::Text::strong);
    for (const std::string& line : lines_of(host_.map, column)) {
      svg_.fitted(x + 10, y += 16, kBox - 20, line);
    }
  }

  void draw_rail(const RailPlane& place, int x) {
    const int top = measures_.rail_top();
    svg_.wire(x + kBox / 2, top - 24, top);
    svg_.pill(place.rail, x, top, kBox, kRail, rail_text(place));
  }

  const HostReport& host_;
  std::vector<Group> groups_;
  Measures measures_;
  Svg svg_;
};

}  // namespace

std::string as_svg(const HostReport& host) {
  return Drawing(host).svg();
}

}  // namespace railgauge::topology
