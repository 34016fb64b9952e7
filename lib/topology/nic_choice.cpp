#include "topology/nic_choice.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <ranges>
#include <set>
#include <sstream>
#include <stdexcept>

namespace railgauge::topology {
namespace {

bool taken(std::string_view& text, char mark) {
  const bool there = text.starts_with(mark);
  if (there) text.remove_prefix(1);
  return there;
}

int port_number(std::string_view text) {
  int port = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), port);
  if (read.ec == std::errc{} && read.ptr == text.data() + text.size() && port > 0) return port;
  throw std::invalid_argument("'" + std::string(text) + "' is not a port number");
}

}  // namespace

PortPattern::PortPattern(std::string_view text) : text_(text) {
  negated_ = taken(text, '^');
  exact_ = taken(text, '=');
  for (std::size_t comma = 0; comma != std::string_view::npos;) {
    comma = text.find(',');
    const std::string_view name = text.substr(0, comma);
    const std::size_t colon = name.find(':');
    if (name.substr(0, colon).empty()) {
      throw std::invalid_argument("'" + text_ + "' names no device");
    }
    names_.push_back({std::string(name.substr(0, colon)), std::nullopt});
    if (colon != std::string_view::npos) names_.back().port = port_number(name.substr(colon + 1));
    if (comma != std::string_view::npos) text.remove_prefix(comma + 1);
  }
}

bool PortPattern::matches(const std::string& device, int port) const {
  const bool named = std::ranges::any_of(names_, [&](const Name& name) {
    const bool alike = exact_ ? device == name.device : device.starts_with(name.device);
    return alike && name.port.value_or(port) == port;
  });
  return named != negated_;
}

namespace {

std::string without_comments(const std::string& text) {
  std::istringstream lines(text);
  std::string kept;
  for (std::string line; std::getline(lines, line);) kept += line.substr(0, line.find('#')) + " ";
  std::ranges::replace(kept, ',', ' ');
  return kept;
}

std::pair<std::string, int> entry_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  int rail = -1;
  if (equals != std::string::npos && equals > 0) {
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + equals + 1, end, rail);
    if (read.ec != std::errc{} || read.ptr != end) rail = -1;
  }
  if (rail < 0) {
    throw std::invalid_argument(
        "'" + text + "' is not a rail map entry; expected a list like mlx5_0=0,mlx5_1=1");
  }
  std::string port = text.substr(0, equals);
  if (port.ends_with(":1")) port.resize(port.size() - 2);
  return {port, rail};
}

void check_rails_of(const RailMap& map) {
  std::set<int> rails;
  for (const auto& [port, rail] : map) {
    if (!rails.insert(rail).second) {
      throw std::invalid_argument("the rail map has two ports on rail " + std::to_string(rail));
    }
  }
  if (rails.empty()) throw std::invalid_argument("the rail map is empty");
  int next = 0;
  for (const int rail : rails) {  // in order
    if (rail == next++) continue;
    throw std::invalid_argument("the rail map has nothing on rail " + std::to_string(next - 1));
  }
}

}  // namespace

RailMap parse_rail_map(const std::string& text) {
  std::istringstream entries(without_comments(text));
  RailMap map;
  for (std::string text_of_one; entries >> text_of_one;) {
    const auto entry = entry_of(text_of_one);
    if (!map.insert(entry).second) {
      throw std::invalid_argument("the rail map has " + entry.first + " twice");
    }
  }
  check_rails_of(map);
  return map;
}

RailMap load_rail_map(const std::string& text_or_file) {
  if (text_or_file.find('=') != std::string::npos) return parse_rail_map(text_or_file);
  std::ifstream file(text_or_file);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::invalid_argument("cannot read the rail map " + text_or_file);
  return parse_rail_map(text.str());
}

std::optional<int> mapped_rail(const RailMap& map, const std::string& device, int port) {
  const auto found = map.find(port == 1 ? device : device + ":" + std::to_string(port));
  return found == map.end() ? std::nullopt : std::optional(found->second);
}

namespace {

struct Candidate {
  const RdmaDevice* device;
  const RdmaPort* port;
  const RdmaGid* gid;
};

bool named_by_user(const NicWishes& wishes) {
  return wishes.include || !wishes.rail_map.empty();
}

/// The address of the host that a GID is; nullptr if it is not one.
const NetAddress* address_of(const HostMap& host, const RdmaGid& gid) {
  for (const Netdev& netdev : host.netdevs) {
    for (const NetAddress& one : netdev.addresses) {
      if (one.address == gid.gid && (gid.netdev.empty() || gid.netdev == netdev.name)) return &one;
    }
  }
  return nullptr;
}

/// The bond that the network device of a port is a member of; "" if it is in none.
std::string bond_of(const HostMap& host, const RdmaPort& port) {
  for (const RdmaGid& gid : port.gids) {
    const Netdev* const netdev = find_netdev(host, gid.netdev);
    if (netdev != nullptr && !netdev->master.empty()) return netdev->master;
  }
  return "";
}

std::string why_unusable(const HostMap& host, const RdmaPort& port) {
  if (port.state != "ACTIVE") {
    return "its port is " + (port.state.empty() ? "in an unknown state" : port.state);
  }
  if (port.link_layer != "Ethernet") return "its link layer is " + port.link_layer;
  const RdmaGid* const gid = chosen_gid(port);
  if (gid != nullptr && address_of(host, *gid) != nullptr) return "";
  const std::string bond = bond_of(host, port);
  if (!bond.empty()) return "its network device is a member of " + bond;
  if (gid == nullptr) return "it has no RoCE v2 GID with a routable address";
  return "its GID " + to_string(gid->gid) + " is not an address of this host's network devices";
}

/// Why a usable port is not a rail among `all`.
std::string other_purpose(const HostMap& host, const Candidate& one,
                          const std::vector<Candidate>& all) {
  const std::string& physical = one.device->pci.physical_function;
  const auto owner = std::ranges::find_if(
      all, [&](const Candidate& other) { return other.device->pci.address == physical; });
  if (!physical.empty() && owner != all.end()) {
    return "it is a virtual function of " + owner->device->name + ", which is a rail";
  }
  const Candidate& fastest = *std::ranges::max_element(
      all, {}, [](const Candidate& other) { return other.port->gigabits_per_second; });
  const double most = fastest.port->gigabits_per_second;
  if (one.port->gigabits_per_second < most && one.device->model != fastest.device->model) {
    return "for storage or management: " + speed_text(one.port->gigabits_per_second) + " Gb/s (" +
           one.device->model + "), others have " + speed_text(most) + " (" + fastest.device->model +
           ")";
  }
  if (!one.gid->netdev.empty() && one.gid->netdev == host.default_route && all.size() > 1) {
    return "for management: the default route leaves by " + host.default_route;
  }
  return "";
}

Nic nic_of(const HostMap& host, const Candidate& one) {
  return {.device = one.device->name,
          .port = one.port->number,
          .address = to_string(one.gid->gid),
          .netdev = one.gid->netdev,
          .prefix_length = address_of(host, *one.gid)->prefix_length,
          .pci = one.device->pci.address,
          .gigabits_per_second = one.port->gigabits_per_second};
}

}  // namespace

std::string why_unwanted(const std::string& device, int port, const NicWishes& wishes) {
  if (wishes.exclude && wishes.exclude->matches(device, port)) {
    return "excluded by '" + wishes.exclude->text() + "'";
  }
  if (wishes.include && !wishes.include->matches(device, port)) {
    return "not included by '" + wishes.include->text() + "'";
  }
  if (!wishes.rail_map.empty() && !mapped_rail(wishes.rail_map, device, port)) {
    return "not in the rail map";
  }
  return "";
}

NicChoice choose_nics(const HostMap& host, const NicWishes& wishes) {
  NicChoice choice;
  std::vector<Candidate> candidates;
  for (const RdmaDevice& device : host.devices) {
    if (device.ports.empty()) {
      choice.left_out.push_back({device.name, 1, "its ports are unknown"});
    }
    for (const RdmaPort& port : device.ports) {
      std::string reason = why_unwanted(device.name, port.number, wishes);
      if (reason.empty()) reason = why_unusable(host, port);
      if (reason.empty()) {
        candidates.push_back({&device, &port, chosen_gid(port)});
      } else {
        choice.left_out.push_back({device.name, port.number, reason});
      }
    }
  }
  for (const Candidate& one : candidates) {
    const std::string reason = named_by_user(wishes) ? "" : other_purpose(host, one, candidates);
    if (reason.empty()) {
      choice.nics.push_back(nic_of(host, one));
    } else {
      choice.left_out.push_back({one.device->name, one.port->number, reason});
    }
  }
  choice.nics = in_rail_order(std::move(choice.nics));
  return choice;
}

}  // namespace railgauge::topology
