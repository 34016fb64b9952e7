// as_svg() of report.hpp.

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <sstream>
#include <tuple>
#include <utility>

#include "topology/report.hpp"

namespace railgauge::topology {
namespace {

constexpr int kMargin = 24;
constexpr int kColumn = 158;  // of a device
constexpr int kGap = 12;
constexpr int kNodeTop = 64;
constexpr int kNodeHead = 50;  // its two lines of text
constexpr int kChip = 24;      // a rank's line
constexpr int kBridge = 18;    // a bridge's line
constexpr int kDevice = 108;   // height of its box
constexpr int kRail = 26;
constexpr std::array<const char*, 8> kColours{"#0b6bcb", "#c2410c", "#15803d", "#7e22ce",
                                              "#0e7490", "#be123c", "#a16207", "#4d7c0f"};
constexpr const char* kStyle =
    "<style>.back{fill:#fff}.node{fill:#f3f5f8;stroke:#9aa4b2}.device{fill:#fff;stroke:#475569}"
    ".out{fill:none;stroke:#94a3b8;stroke-dasharray:4 3}.wire{stroke:#64748b;fill:none}"
    "text{fill:#0f172a}.dim{fill:#526071}.on{fill:#fff;font-weight:600}"
    "@media (prefers-color-scheme:dark){.back{fill:#0f172a}.node{fill:#1e293b;stroke:#64748b}"
    ".device{fill:#0f172a;stroke:#94a3b8}.out{stroke:#64748b}.wire{stroke:#94a3b8}"
    "text{fill:#e2e8f0}.dim{fill:#a3b1c4}.on{fill:#fff}}</style>\n";

struct Column {
  const RdmaDevice* device = nullptr;
  const RdmaPort* port = nullptr;  // nullptr: nothing is known of its ports
  int rail = -1;
};

/// A NUMA node with the ports beside it; without a node those that are nowhere.
struct Group {
  const NumaNode* node = nullptr;
  std::vector<Column> columns{};
  std::vector<std::size_t> ranks{};
};

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      default: safe += c;
    }
  }
  return safe;
}

std::string formatted(const char* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);  // NOLINT(*-format-nonliteral)
  return text.data();
}

int rail_of(const HostReport& host, const std::string& device, int port) {
  const auto found = std::ranges::find_if(
      host.rails, [&](const Nic& nic) { return nic.device == device && nic.port == port; });
  return found == host.rails.end() ? -1 : static_cast<int>(found - host.rails.begin());
}

std::vector<Group> groups_of(const HostReport& host) {
  std::map<int, Group> groups;
  for (const NumaNode& node : host.map.nodes) groups[node.number].node = &node;
  for (const RdmaDevice& device : host.map.devices) {
    auto& columns = groups[device.locality.numa_node].columns;
    if (device.ports.empty()) columns.push_back({&device, nullptr, -1});
    for (const RdmaPort& port : device.ports) {
      columns.push_back({&device, &port, rail_of(host, device.name, port.number)});
    }
  }
  for (std::size_t rank = 0; rank < host.ranks.size(); ++rank) {
    groups[host.ranks[rank].numa_node].ranks.push_back(rank);
  }
  std::vector<Group> all;
  for (auto& [number, group] : groups) {
    std::ranges::stable_sort(group.columns, {}, [](const Column& column) {
      return std::tuple(column.rail < 0, column.rail, column.device->pci.address);
    });
    all.push_back(std::move(group));
  }
  return all;
}

class Drawing {
 public:
  explicit Drawing(const HostReport& host) : host_(host), groups_(groups_of(host)) {
    for (const Group& group : groups_) {
      ranks_ = std::max(ranks_, rows_of_ranks(group));
      for (const Column& column : group.columns) {
        bridges_ = std::max(bridges_, column.device->pci.bridges.size());
      }
    }
  }

  std::string svg() {
    open();
    int left = kMargin;
    for (const Group& group : groups_) {
      draw(group, left);
      left += width_of(group) + kGap;
    }
    out_ << "</svg>\n";
    return out_.str();
  }

 private:
  static int width_of(const Group& group) {
    return std::max(static_cast<int>(group.columns.size()), 2) * kColumn + kGap;
  }
  static int rows_of_ranks(const Group& group) {
    const int across = width_of(group) / kColumn;
    return (static_cast<int>(group.ranks.size()) + across - 1) / across;
  }
  [[nodiscard]] int node_height() const { return kNodeHead + ranks_ * kChip + 10; }
  [[nodiscard]] int device_top() const {
    return kNodeTop + node_height() + static_cast<int>(bridges_) * kBridge + 34;
  }
  [[nodiscard]] int height() const { return device_top() + kDevice + 24 + kRail + kMargin; }
  [[nodiscard]] int width() const {
    int width = 2 * kMargin - kGap;
    for (const Group& group : groups_) width += width_of(group) + kGap;
    return width;
  }

  void open() {
    out_ << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " << width() << " " << height()
         << "' width='" << width() << "' height='" << height()
         << "' font-family='system-ui, sans-serif' font-size='11'>\n"
         << "<title>" << escaped(host_.map.host) << "</title>\n"
         << kStyle << "<rect class='back' width='100%' height='100%'/>\n";
    label(kMargin, 28, escaped(host_.map.host), "font-size='16' font-weight='600'");
    label(kMargin, 48,
          std::to_string(host_.rails.size()) + (host_.rails.size() == 1 ? " rail" : " rails") +
              (host_.ranks.empty() ? "" : ", " + std::to_string(host_.ranks.size()) + " ranks") +
              "; dashed: no rail",
          "class='dim'");
  }

  void label(int x, int y, const std::string& text, const char* more) {
    out_ << "<text x='" << x << "' y='" << y << "' " << more << ">" << text << "</text>\n";
  }

  void box(const char* style, int x, int y, int wide, int high) {
    out_ << "<rect class='" << style << "' x='" << x << "' y='" << y << "' width='" << wide
         << "' height='" << high << "' rx='6'/>\n";
  }

  void pill(int rail, int x, int y, int high, const std::string& text) {
    const auto colour = static_cast<std::size_t>(std::max(rail, 0)) % kColours.size();
    out_ << "<rect fill='" << kColours[colour] << "' x='" << x << "' y='" << y << "' width='"
         << kColumn - kGap << "' height='" << high << "' rx='" << high / 2 << "'/>\n";
    label(x + (kColumn - kGap) / 2, y + high / 2 + 4, text, "class='on' text-anchor='middle'");
  }

  void draw(const Group& group, int left) {
    box("node", left, kNodeTop, width_of(group), node_height());
    if (group.node == nullptr) {
      label(left + kGap, kNodeTop + 20, "no NUMA node, or several", "font-weight='600'");
    } else {
      label(left + kGap, kNodeTop + 20, "NUMA node " + std::to_string(group.node->number),
            "font-weight='600'");
      label(left + kGap, kNodeTop + 38,
            "cpus " + cpu_list(group.node->cpus) + ", " +
                formatted("%.0f GiB", static_cast<double>(group.node->memory_bytes) /
                                          static_cast<double>(1U << 30U)),
            "class='dim'");
    }
    draw_ranks(group, left + kGap);
    int x = left + kGap;
    for (const Column& column : group.columns) {
      draw(column, x);
      x += kColumn;
    }
  }

  void draw_ranks(const Group& group, int left) {
    const int across = width_of(group) / kColumn;
    for (std::size_t i = 0; i < group.ranks.size(); ++i) {
      const Placement& placed = host_.ranks[group.ranks[i]];
      const CpuSet rails(placed.rails.begin(), placed.rails.end());
      pill(rails.empty() ? 0 : *rails.begin(), left + static_cast<int>(i) % across * kColumn,
           kNodeTop + kNodeHead + static_cast<int>(i) / across * kChip, kChip - 4,
           "rank " + std::to_string(group.ranks[i]) +
               (rails.empty() ? ""
                              : (rails.size() == 1 ? ": rail " : ": rails ") + cpu_list(rails)));
    }
  }

  void draw(const Column& column, int x) {
    const int middle = x + (kColumn - kGap) / 2;
    const PciFunction& pci = column.device->pci;
    const int top = device_top();
    int y = kNodeTop + node_height();
    out_ << "<path class='wire' d='M" << middle << " " << y << "V" << top << "'/>\n";
    for (const std::string& bridge : pci.bridges) {
      y += kBridge;
      out_ << "<circle class='device' cx='" << middle << "' cy='" << y << "' r='3'/>\n";
      label(middle + 8, y + 4, bridge, "class='dim' font-size='10'");
    }
    box(column.rail < 0 ? "out" : "device", x, top, kColumn - kGap, kDevice);
    draw_texts(column, x + 10, top);
    if (column.rail < 0) return;
    out_ << "<path class='wire' d='M" << middle << " " << top + kDevice << "v24'/>\n";
    pill(column.rail, x, top + kDevice + 24, kRail, "rail " + std::to_string(column.rail));
  }

  void draw_texts(const Column& column, int x, int top) {
    const PciFunction& pci = column.device->pci;
    const std::string port =
        column.port == nullptr ? "" : ":" + std::to_string(column.port->number);
    label(x, top + 18, escaped(column.device->name) + port, "font-weight='600'");
    label(x, top + 35, pci.address + (pci.link.known() ? "" : ", link unknown"), "class='dim'");
    if (pci.link.known()) {
      label(x, top + 51,
            to_string(pci.link) + (pci.degraded() ? " of " + to_string(pci.most()) : ""),
            "class='dim'");
    }
    if (column.port == nullptr) return;
    label(x, top + 67,
          formatted("%g Gb/s ", column.port->gigabits_per_second) + escaped(column.port->state),
          "class='dim'");
    const RdmaGid* const gid = chosen_gid(*column.port);
    if (gid == nullptr) return;
    label(x, top + 83, escaped(gid->netdev), "class='dim'");
    const std::string address = to_string(gid->gid);
    // IPv6 is squeezed into the box.
    label(x, top + 99, address,
          address.size() > 22 ? "class='dim' textLength='126' lengthAdjust='spacingAndGlyphs'"
                              : "class='dim'");
  }

  const HostReport& host_;
  std::vector<Group> groups_;
  int ranks_ = 0;            // rows of them in a node
  std::size_t bridges_ = 0;  // above any device
  std::ostringstream out_;
};

}  // namespace

std::string as_svg(const HostReport& host) {
  return Drawing(host).svg();
}

}  // namespace railgauge::topology
