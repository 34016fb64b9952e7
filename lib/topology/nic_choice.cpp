#include "topology/nic_choice.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace railgauge::topology {
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
  if (gid == nullptr) return "it has no RoCE v2 GID with an address that is routed";
  return "its GID " + to_string(gid->gid) + " is no address of this host's network devices";
}

std::string decimal(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g", value);
  return text.data();
}

/// Why a port that could be used is no rail beside `all`.
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
    return "for storage or management: " + decimal(one.port->gigabits_per_second) + " Gb/s (" +
           one.device->model + "), and others have " + decimal(most) + " (" +
           fastest.device->model + ")";
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
      choice.left_out.push_back({device.name, 1, "nothing is known of its ports"});
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
