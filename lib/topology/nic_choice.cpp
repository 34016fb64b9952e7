#include "topology/nic_choice.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace railgauge::topology {
namespace {

/// Why a port cannot be a rail, and what would make it one.
struct Reason {
  std::string why{};  // "" if it can
  std::string remedy{};
};

/// The network device of a port: of its GIDs, else of its PCI function, if that has no other port.
/// nullptr if it is not here.
const Netdev* netdev_of(const HostMap& host, const RdmaDevice& device, const RdmaPort& port) {
  for (const RdmaGid& gid : port.gids) {
    if (const Netdev* const found = find_netdev(host, gid.netdev)) return found;
  }
  if (device.pci.address.empty() || device.ports.size() > 1) return nullptr;
  const auto found = std::ranges::find(host.netdevs, device.pci.address, &Netdev::pci);
  return found == host.netdevs.end() ? nullptr : &*found;
}

/// Why a port has no GID to use. A pod may be told neither type nor network device of its host's.
Reason why_no_gid(const HostMap& host, const RdmaPort& port, const Netdev* netdev) {
  const RdmaGid* foreign = nullptr;
  for (const RdmaGid& gid : port.gids) {
    if (is_ipv6_link_local(gid.gid)) continue;
    if (address_of(host, gid) != nullptr) {
      return {"its GIDs are of RoCE v1 only", "enable RoCE v2 on it: RoCE v1 is not routed"};
    }
    if (gid.type == "RoCE v2" || gid.type.empty()) foreign = &gid;
  }
  if (foreign != nullptr) {
    return {"its network interface is not in this network namespace: its GID " +
                to_string(foreign->gid) + " is not an address here",
            "move its network device into it, or run where it is"};
  }
  if (netdev == nullptr) return {"it has no IP address", "give its network device one"};
  for (const NetAddress& one : netdev->addresses) {
    if (is_ipv6_link_local(one.address)) continue;
    return {"no GID has the address " + to_string(one.address) + " of " + netdev->name,
            "set " + netdev->name + " down and up, or reload the driver of the device"};
  }
  return {"it has no IP address", "give " + netdev->name + " one"};
}

/// What a device is by the kernel, if it has no RoCE.
Reason why_no_roce(const RdmaDevice& device, const RdmaPort& port) {
  if (device.node_type == "RNIC") {
    return {"it is an iWARP device, which has no RoCE",
            "switch it to RoCE v2 (of irdma: devlink parameter enable_roce)"};
  }
  // sysfs's word (link_layer_show() of drivers/infiniband/core/sysfs.c), and ibv_devinfo's.
  if (port.link_layer == "Unknown" || port.link_layer == "Unspecified") {
    return {"it is not a RoCE device, and has no RC queue pairs (EFA)", ""};
  }
  if (port.link_layer == "Ethernet") return {};
  return {"its link layer is " + port.link_layer, "set its port to Ethernet"};
}

Reason why_unusable(const HostMap& host, const RdmaDevice& device, const RdmaPort& port) {
  if (port.state.empty()) return {"its port is in an unknown state", ""};
  if (port.state != "ACTIVE") {
    return {"its port is " + port.state, "check its cable, transceiver and switch port"};
  }
  if (Reason other = why_no_roce(device, port); !other.why.empty()) return other;
  if (chosen_gid(host, port) != nullptr) return {};
  const Netdev* const netdev = netdev_of(host, device, port);
  if (netdev != nullptr && !netdev->master.empty()) {
    return {"its network device is a member of " + netdev->master, ""};
  }
  return why_no_gid(host, port, netdev);
}

/// Says of which network devices the NIC is a bond.
void describe_bond(Nic& nic, const HostMap& host) {
  std::string members;
  for (const Netdev& one : host.netdevs) {
    if (nic.netdev.empty() || one.master != nic.netdev) continue;
    members += (members.empty() ? "" : " and ") + one.name;
    ++nic.bond_members;
  }
  if (nic.bond_members > 0) nic.bond = nic.netdev + " of " + members;
}

/// The port's addresses of this host, besides the one that is used.
std::vector<std::string> other_addresses(const HostMap& host, const RdmaDevice& device,
                                         const Nic& nic) {
  std::vector<std::string> others;
  const auto port = std::ranges::find(device.ports, nic.port, &RdmaPort::number);
  if (port == device.ports.end()) return others;
  for (const RdmaGid& gid : port->gids) {
    if (gid.type != "RoCE v2" || is_ipv6_link_local(gid.gid)) continue;
    const NetAddress* const address = address_of(host, gid);
    if (address == nullptr || to_string(gid.gid) == nic.address) continue;
    others.push_back(to_string(gid.gid) + "/" + std::to_string(address->prefix_length));
  }
  return others;
}

/// The driver of the network device knows link modes that the RDMA driver may not: mlx5 then says
/// 40 Gb/s. A bond has its members' sum.
void compare_speeds(Nic& nic, const RdmaDevice& device, const HostMap& host) {
  constexpr double kTolerance = 0.02;
  const Netdev* const netdev = find_netdev(host, nic.netdev);
  if (netdev == nullptr || device.software || nic.bond_members > 0) return;
  const double speed = netdev->gigabits_per_second;
  const double difference = std::abs(speed - nic.gigabits_per_second);
  if (speed == 0 || nic.gigabits_per_second == 0 || difference <= kTolerance * speed) return;
  nic.speed_doubt = "the RDMA device reports " + speed_text(nic.gigabits_per_second) + " Gb/s, " +
                    netdev->name + " " + speed_text(speed) + " Gb/s";
  nic.gigabits_per_second = speed;
}

}  // namespace

std::string degraded_clause(const PciFunction& pci) {
  const PciHop* const hop = pci.degraded();
  if (hop == nullptr) return "";
  return "its PCI link from " + hop->upper + " to " + hop->lower + " is " + to_string(hop->now) +
         ", and both ends support " + to_string(hop->most);
}

void describe(Nic& nic, const HostMap& host) {
  const RdmaDevice* const device = find_device(host, nic.device);
  if (device == nullptr) return;
  nic.pci = device->pci.address;
  nic.model = device->model;
  nic.firmware = device->firmware;
  nic.node_guid = device->node_guid;
  nic.numa_node = device->locality.numa_node;
  nic.default_route = !nic.netdev.empty() && nic.netdev == host.default_route;
  describe_bond(nic, host);
  compare_speeds(nic, *device, host);
  nic.other_addresses = other_addresses(host, *device, nic);
  nic.pci_degraded = degraded_clause(device->pci);
  const PciHop* const narrowest = device->pci.narrowest();
  if (narrowest == nullptr) return;
  nic.pci_link = to_string(narrowest->now);
  nic.pci_gigabits_per_second = narrowest->now.gigabits_per_second();
  nic.pci_at_limit =
      narrowest == &device->pci.hops.back() && to_string(device->pci.device_most) == nic.pci_link;
}

namespace {

Nic nic_of(const HostMap& host, const RdmaDevice& device, const RdmaPort& port) {
  const RdmaGid& gid = *chosen_gid(host, port);
  const NetAddress& address = *address_of(host, gid);
  Nic nic{.device = device.name,
          .port = port.number,
          .address = to_string(gid.gid),
          .netdev = address.netdev,
          .prefix_length = address.prefix_length,
          .gigabits_per_second = port.gigabits_per_second};
  const Netdev* const netdev = find_netdev(host, nic.netdev);
  nic.mtu_bytes = netdev == nullptr ? 0 : netdev->mtu_bytes;
  describe(nic, host);
  return nic;
}

/// Whether somebody has given a port an address, as for a rail. The default route's is for others.
bool has_address(const HostMap& host, const RdmaPort& port, const Netdev* netdev) {
  if (netdev == nullptr || netdev->name == host.default_route) return false;
  return port.link_layer == "Ethernet" &&
         std::ranges::any_of(netdev->addresses, [](const NetAddress& one) {
           return !is_ipv6_link_local(one.address);
         });
}

LeftOut port_left_out(const HostMap& host, const RdmaDevice& device, const RdmaPort& port,
                      Reason reason) {
  const Netdev* const netdev = netdev_of(host, device, port);
  const bool like_rails = !reason.remedy.empty() && has_address(host, port, netdev);
  return {{.device = device.name,
           .port = port.number,
           .netdev = netdev == nullptr ? "" : netdev->name,
           .pci = device.pci.address,
           .model = device.model},
          std::move(reason.why),
          std::move(reason.remedy),
          like_rails};
}

/// Leaves out virtual functions of those that remain.
void leave_out_virtual(const HostMap& map, Host& host) {
  const std::vector<Nic> all = host.rails;
  std::erase_if(host.rails, [&](const Nic& nic) {
    const RdmaDevice& device = *find_device(map, nic.device);
    const auto owner = std::ranges::find(all, device.pci.physical_function, &Nic::pci);
    if (device.pci.physical_function.empty() || owner == all.end()) return false;
    host.left_out.push_back(
        left_out(nic, "it is a virtual function of " + owner->device + ", which is a rail"));
    return true;
  });
}

}  // namespace

RailMap NicWishes::said() const {
  if (!rail_map.empty() || !include) return rail_map;
  return rail_map_of(*include);
}

std::string take_nccl_ports(NicWishes& wishes) {
  if (wishes.names_ports() || wishes.exclude || !wishes.fabric.empty()) return "";
  NcclPorts found = nccl_ports(std::getenv("NCCL_IB_HCA"));
  wishes.include = std::move(found.ports);
  return found.note;
}

std::string why_unwanted(const std::string& device, int port, const NicWishes& wishes) {
  if (wishes.exclude && wishes.exclude->matches(device, port)) {
    return "excluded by '" + wishes.exclude->text() + "'";
  }
  if (wishes.include && !wishes.include->matches(device, port)) {
    return "not included by '" + wishes.include->text() + "'";
  }
  if (!wishes.rail_map.empty() && !mapped_place(wishes.rail_map, device, port)) {
    return "not in the rail map";
  }
  return "";
}

Host choose_nics(const HostMap& map, const NicWishes& wishes) {
  Host host{map.host, {}, {}};
  for (const RdmaDevice& device : map.devices) {
    if (device.ports.empty()) {
      host.left_out.push_back(
          {{.device = device.name, .pci = device.pci.address}, "its ports are unknown"});
    }
    for (const RdmaPort& port : device.ports) {
      Reason reason{why_unwanted(device.name, port.number, wishes), ""};
      if (reason.why.empty()) reason = why_unusable(map, device, port);
      if (reason.why.empty()) {
        host.rails.push_back(nic_of(map, device, port));
      } else {
        host.left_out.push_back(port_left_out(map, device, port, std::move(reason)));
      }
    }
  }
  if (!wishes.names_ports()) leave_out_virtual(map, host);
  host.rails = in_rail_order(std::move(host.rails));
  return host;
}

}  // namespace railgauge::topology
