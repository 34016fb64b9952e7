#include "topology/picture_columns.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "topology/text_layout.hpp"

namespace railgauge::topology {
namespace {

constexpr const char* kNotThere = "has no NIC ";

/// "mlx5_3, mlx5_4 (rails 3 and 4) are slow: …": whether a device is among those it begins with.
bool is_of(const std::string& sentence, const std::string& device) {
  const std::string head = sentence.substr(0, sentence.find_first_of("(:"));
  for (std::size_t at = head.find(device); at != std::string::npos;
       at = head.find(device, at + 1)) {
    const std::size_t end = at + device.size();
    const bool begins = at == 0 || head[at - 1] == ' ';
    const bool ends = end == head.size() || head[end] == ' ' || head[end] == ',';
    if (begins && ends) return true;
  }
  return false;
}

/// Of "mlx5_3 (rail 3): its port is DOWN; check its cable" what lies between.
std::string cause_of(const std::string& sentence) {
  const std::size_t rail = sentence.find("(rail");
  std::size_t begin = rail == std::string::npos ? 0 : sentence.find(')', rail) + 1;
  while (begin < sentence.size() && (sentence[begin] == ':' || sentence[begin] == ' ')) ++begin;
  return sentence.substr(begin, sentence.find("; ", begin) - begin);
}

/// Says of a port what is wrong with it, else why it is no rail.
void add_causes(const HostReport& host, const std::string& device, int port,
                PictureColumn& column) {
  std::string cause;
  for (const std::string& one : host.wrong) {
    if (is_of(one, device)) cause += (cause.empty() ? "" : "; ") + cause_of(one);
  }
  column.alarming = !cause.empty();
  if (cause.empty()) {
    const auto found = std::ranges::find_if(host.left_out, [&](const LeftOut& one) {
      return one.device == device && one.port == port;
    });
    if (found == host.left_out.end()) return;
    cause = found->reason;
    column.alarming = !found->remedy.empty();
  }
  column.causes = wrapped(cause, kCauseWidth);
}

RailPlane place_of(const HostReport& host, const std::string& device, int port) {
  const auto found = std::ranges::find_if(
      host.rails, [&](const Nic& nic) { return nic.device == device && nic.port == port; });
  return found == host.rails.end() ? RailPlane{} : rail_plane_of(*found);
}

std::string link_line(const PciFunction& pci) {
  if (pci.link.known()) {
    return to_string(pci.link) + (pci.degraded() != nullptr ? " of " + to_string(pci.most()) : "");
  }
  if (pci.hwloc_gigabits_per_second <= 0) return "";
  return speed_text(std::round(pci.hwloc_gigabits_per_second)) + " Gb/s PCI";
}

PictureColumn column_of(const RdmaDevice& device) {
  const PciFunction& pci = device.pci;
  PictureColumn column{.name = device.name, .bridges = pci.bridges};
  column.address = pci.address;
  column.lines.push_back(pci.address.empty() ? "not on PCI" : pci.address);
  if (const std::string link = link_line(pci); !link.empty()) column.lines.push_back(link);
  return column;
}

PictureColumn column_of(const HostReport& host, const RdmaDevice& device, const RdmaPort& port) {
  PictureColumn column = column_of(device);
  column.name += ":" + std::to_string(port.number);
  column.place = place_of(host, device.name, port.number);
  column.lines.push_back(speed_text(port.gigabits_per_second) + " Gb/s " + port.state);
  if (const RdmaGid* gid = chosen_gid(host.map, port)) {
    column.lines.push_back(gid->netdev);
    column.lines.push_back(to_string(gid->gid));
  }
  add_causes(host, device.name, port.number, column);
  return column;
}

/// Sorts so that what is below one bridge stands together, in the order of its lowest rail.
void sort_by_bridges(std::vector<PictureColumn>& columns) {
  const auto order = [](const PictureColumn& column) {
    return std::pair(column.place.rail < 0 ? INT_MAX : column.place.rail, column.place.plane);
  };
  std::map<std::vector<std::string>, std::pair<int, int>>
      lowest;  // by the bridges from the root on
  for (const PictureColumn& column : columns) {
    for (auto end = column.bridges.begin(); end != column.bridges.end();) {
      const std::vector<std::string> path(column.bridges.begin(), ++end);
      const auto [at, made] = lowest.emplace(path, order(column));
      if (!made) at->second = std::min(at->second, order(column));
    }
  }
  const auto key = [&](const PictureColumn& column) {
    std::vector<std::pair<std::pair<int, int>, std::string>> keys;
    std::vector<std::string> path;
    for (const std::string& bridge : column.bridges) {
      path.push_back(bridge);
      keys.emplace_back(lowest.at(path), bridge);
    }
    keys.emplace_back(order(column), column.address);
    return keys;
  };
  std::ranges::stable_sort(columns, {}, key);
}

std::string subtitle_of(const HostMap& map, const NumaNode& node) {
  std::string text = (node.cpus.empty() ? "no cpus" : "cpus " + cpu_list(node.cpus)) + ", " +
                     gibibytes(node.memory_bytes) + (node.kind.empty() ? "" : " " + node.kind);
  for (const NumaNode& other : map.nodes) {
    const bool beside =
        other.cpus.empty() && other.memory_bytes > 0 && !common(other.near_cpus, node.cpus).empty();
    if (beside) {
      text += ", " + (other.kind.empty() ? "memory" : other.kind) + " node " +
              std::to_string(other.number) + ": " + gibibytes(other.memory_bytes);
    }
  }
  return text;
}

/// A device with planes may have many ports that are never up: of those none is drawn.
bool is_idle(const HostReport& host, const RdmaDevice& device, const RdmaPort& port) {
  const bool has_rail = std::ranges::count(host.rails, device.name, &Nic::device) > 0;
  return has_rail && port.state != "ACTIVE" && port.gids.empty();
}

/// Every node with cpus or devices, whole; without a number, what is on none.
std::vector<PicturePart> nodes_as_parts(const HostReport& host) {
  std::map<int, PicturePart> parts;
  for (const NumaNode& node : host.map.nodes) {
    if (!node.cpus.empty()) parts[node.number];
  }
  for (const RdmaDevice& device : host.map.devices) {
    auto& columns = parts[device.locality.numa_node].columns;
    if (device.ports.empty()) columns.push_back(column_of(device));
    for (const RdmaPort& port : device.ports) {
      if (!is_idle(host, device, port)) columns.push_back(column_of(host, device, port));
    }
  }
  for (std::size_t rank = 0; rank < host.ranks.size(); ++rank) {
    parts[host.ranks[rank].numa_node].ranks.push_back(rank);
  }
  std::vector<PicturePart> all;
  for (auto& [number, part] : parts) {
    const NumaNode* const node = find_node(host.map, number);
    part.title =
        node == nullptr ? "no NUMA node, or several" : "NUMA node " + std::to_string(number);
    if (node != nullptr) part.subtitle = subtitle_of(host.map, *node);
    sort_by_bridges(part.columns);
    all.push_back(std::move(part));
  }
  return all;
}

/// NICs that other hosts have.
PicturePart not_there(const HostReport& host) {
  PicturePart part{.title = "not there"};
  for (const std::string& one : host.wrong) {
    if (!one.starts_with(kNotThere)) continue;
    part.columns.push_back({.name = "no NIC"});
    const std::string cause = cause_of(one).substr(std::string_view(kNotThere).size());
    part.columns.back().causes = wrapped(cause, kCauseWidth);
    part.columns.back().alarming = true;
  }
  return part;
}

/// Where to cut: between root ports, if there is one within reach; else where there is no room.
std::size_t cut(const std::vector<PictureColumn>& columns) {
  const auto root = [](const PictureColumn& column) {
    return column.bridges.empty() ? column.address : column.bridges.front();
  };
  for (std::size_t at = kMostColumns; at > 1; --at) {
    if (root(columns[at - 1]) != root(columns[at])) return at;
  }
  return kMostColumns;
}

std::vector<PicturePart> with_room(PicturePart part) {
  std::vector<PicturePart> parts;
  while (part.columns.size() > kMostColumns) {
    const auto end = part.columns.begin() + static_cast<std::ptrdiff_t>(cut(part.columns));
    PicturePart next{part.title, "continued", {end, part.columns.end()}, {}};
    part.columns.erase(end, part.columns.end());
    parts.push_back(std::move(part));
    part = std::move(next);
  }
  parts.push_back(std::move(part));
  return parts;
}

}  // namespace

std::size_t width_of(const PicturePart& part) {
  return std::max(part.columns.size(), std::size_t{2});
}

std::vector<PictureBand> picture_bands(const HostReport& host) {
  std::vector<PicturePart> whole = nodes_as_parts(host);
  if (PicturePart missing = not_there(host); !missing.columns.empty()) {
    whole.push_back(std::move(missing));
  }
  std::vector<PictureBand> bands(1);
  std::size_t used = 0;
  for (PicturePart& node : whole) {
    for (PicturePart& part : with_room(std::move(node))) {
      if (used > 0 && used + width_of(part) > kMostColumns) {
        bands.emplace_back();
        used = 0;
      }
      used += width_of(part);
      bands.back().push_back(std::move(part));
    }
  }
  return bands;
}

std::vector<std::string> wrong_with_no_port(const HostReport& host) {
  std::vector<std::string> sentences;
  for (const std::string& one : host.wrong) {
    const bool drawn = one.starts_with(kNotThere) ||
                       std::ranges::any_of(host.map.devices, [&](const RdmaDevice& device) {
                         return is_of(one, device.name);
                       });
    if (!drawn) sentences.push_back(one);
  }
  return sentences;
}

}  // namespace railgauge::topology
