#include "topology/host_map.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

namespace railgauge::topology {
namespace {

const std::string kDevices = "class/infiniband";

template <class Number>
Number leading_number(const std::string& text) {
  Number number{};
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// "ACTIVE" of "4: ACTIVE": the number is the kernel's, the words are for people.
std::string without_number(const std::string& text) {
  const std::size_t colon = text.find(": ");
  return colon == std::string::npos ? text : text.substr(colon + 2);
}

template <class T>
const T* found_by(const std::vector<T>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &T::name);
  return found == all.end() ? nullptr : &*found;
}

/// What sysfs says about a PCI function. A virtual one that does not know asks its physical one.
LocalityClaims claims_about(const Recording& recording, const HwlocMap& hwloc,
                            const PciFunction& pci) {
  LocalityClaims claims;
  const auto ask = [&](const std::string& address) {
    const std::string path = "bus/pci/devices/" + address + "/";
    const std::string node = recording.line(path + "numa_node");
    const auto number = parse_cpu_list(node);  // empty for "-1"
    claims.sysfs_node = number && !number->empty() ? *number->begin() : -1;
    claims.sysfs_cpus = parse_cpu_list(recording.line(path + "local_cpulist")).value_or(CpuSet{});
  };
  ask(pci.address);
  if (claims.sysfs_node < 0 && !pci.physical_function.empty()) ask(pci.physical_function);
  const auto place = hwloc.pci.find(pci.address);
  if (place != hwloc.pci.end()) claims.hwloc = place->second;
  return claims;
}

Locality locality_of(const Recording& recording, const HwlocMap& hwloc, const PciFunction& pci) {
  if (!pci.address.empty()) return locate(claims_about(recording, hwloc, pci), hwloc.nodes);
  Locality nowhere = locate({}, hwloc.nodes);
  if (nowhere.numa_node >= 0) return {nowhere.numa_node, nowhere.cpus, ""};
  nowhere.remark = "it is not on a PCI bus: all cpus are equally near";
  return nowhere;
}

RdmaDevice read_device(const Recording& recording, const HwlocMap& hwloc, const std::string& name) {
  const std::string path = kDevices + "/" + name + "/";
  RdmaDevice device{.name = name,
                    .node_guid = recording.line(path + "node_guid"),
                    .system_guid = recording.line(path + "sys_image_guid"),
                    .firmware = recording.line(path + "fw_ver"),
                    .model = recording.line(path + "hca_type"),
                    .node_type = without_number(recording.line(path + "node_type"))};
  std::string link = recording.target(path + "device");
  const std::string below = recording.line(path + "parent");  // rdma_rxe's network device
  device.software = link.empty() || !below.empty();
  if (link.empty()) link = recording.target("class/net/" + below + "/device");
  device.pci = pci_function(recording, link);
  device.locality = locality_of(recording, hwloc, device.pci);
  const std::string ports = path + "ports/";
  for (const std::string& number : recording.names(path + "ports")) {
    device.ports.push_back(read_port(recording, ports + number, number));
  }
  return device;
}

/// One that only hwloc names.
RdmaDevice device_by_hwloc(const HwlocMap& hwloc, const std::string& name,
                           const std::string& address) {
  RdmaDevice device{.name = name};
  device.pci.address = address;
  const auto found = hwloc.pci.find(address);
  const HwlocPlace place = found == hwloc.pci.end() ? HwlocPlace{} : found->second;
  device.pci.bridges = place.bridges;
  device.pci.hwloc_gigabits_per_second = place.gigabits_per_second;
  device.locality = locate_by_hwloc(place, hwloc.nodes);
  return device;
}

std::vector<RdmaDevice> devices_by_hwloc(const HwlocMap& hwloc) {
  std::vector<RdmaDevice> devices;
  devices.reserve(hwloc.rdma_devices.size());
  for (const auto& [name, address] : hwloc.rdma_devices) {
    devices.push_back(device_by_hwloc(hwloc, name, address));
  }
  std::ranges::sort(devices, [](const RdmaDevice& left, const RdmaDevice& right) {
    return ::strverscmp(left.name.c_str(), right.name.c_str()) < 0;
  });
  return devices;
}

std::vector<Netdev> netdevs_by_hwloc(const HwlocMap& hwloc) {
  std::vector<Netdev> netdevs;
  for (const auto& [address, place] : hwloc.pci) {
    for (const std::string& name : place.netdevs) {
      netdevs.push_back({.name = name, .pci = address});
    }
  }
  return netdevs;
}

std::vector<Netdev> read_netdevs(const Recording& recording) {
  std::vector<std::string> names = recording.names("class/net");
  for (const NetAddress& one : recording.addresses) {
    if (std::ranges::find(names, one.netdev) == names.end()) names.push_back(one.netdev);
  }
  std::vector<Netdev> netdevs;
  for (const std::string& name : names) {
    Netdev netdev{.name = name};
    const auto chain = pci_addresses(recording.target("class/net/" + name + "/device"));
    if (!chain.empty()) netdev.pci = chain.back();
    const std::string master = recording.target("class/net/" + name + "/master");
    netdev.master = master.substr(master.rfind('/') + 1);
    netdev.mtu_bytes = leading_number<int>(recording.line("class/net/" + name + "/mtu"));
    constexpr double kMega = 1e-3;
    const int megabits = leading_number<int>(recording.line("class/net/" + name + "/speed"));
    netdev.gigabits_per_second = std::max(megabits, 0) * kMega;
    std::ranges::copy_if(recording.addresses, std::back_inserter(netdev.addresses),
                         [&](const NetAddress& one) { return one.netdev == name; });
    netdevs.push_back(std::move(netdev));
  }
  return netdevs;
}

}  // namespace

HostMap read_host(const Recording& recording) {
  HwlocMap hwloc = read_hwloc_xml(recording.hwloc_xml);
  HostMap map{.host = recording.host, .default_route = recording.default_route};
  for (const std::string& name : recording.names(kDevices)) {
    map.devices.push_back(read_device(recording, hwloc, name));
  }
  map.netdevs = read_netdevs(recording);
  map.xml_alone = recording.is_xml_alone();
  if (map.xml_alone) {
    map.devices = devices_by_hwloc(hwloc);
    map.netdevs = netdevs_by_hwloc(hwloc);
  }
  map.allowed =
      recording.allowed.empty() ? hwloc.allowed : common(recording.allowed, hwloc.allowed);
  map.gpus = gpus_of(hwloc);
  map.nodes = std::move(hwloc.nodes);
  map.cores = std::move(hwloc.cores);
  return map;
}

const RdmaDevice* find_device(const HostMap& host, const std::string& name) {
  return found_by(host.devices, name);
}

const Netdev* find_netdev(const HostMap& host, const std::string& name) {
  return found_by(host.netdevs, name);
}

const NumaNode* find_node(const HostMap& host, int number) {
  const auto found = std::ranges::find(host.nodes, number, &NumaNode::number);
  return found == host.nodes.end() ? nullptr : &*found;
}

RdmaPort read_port(const Recording& recording, const std::string& path, const std::string& number) {
  RdmaPort port{.number = leading_number<int>(number)};
  port.state = without_number(recording.line(path + "/state"));
  port.link_layer = recording.line(path + "/link_layer");
  port.rate = recording.line(path + "/rate");
  const auto rate = leading_number<double>(port.rate);
  port.gigabits_per_second = std::isfinite(rate) ? std::max(rate, 0.0) : 0;  // it reads "nan" too
  const std::string gids = path + "/gids/";
  const std::string types = path + "/gid_attrs/types/";
  const std::string netdevs = path + "/gid_attrs/ndevs/";
  for (const std::string& index : recording.names(path + "/gids")) {
    const auto gid = parse_ip_address(recording.line(gids + index));
    if (!gid || *gid == IpAddress{}) continue;
    port.gids.push_back({leading_number<int>(index), *gid, recording.line(types + index),
                         recording.line(netdevs + index)});
  }
  return port;
}

bool is_ipv6_link_local(const IpAddress& address) {
  return address.bytes[0] == 0xfe && (address.bytes[1] & 0xc0U) == 0x80;
}

bool is_ipv4_link_local(const IpAddress& address) {
  return is_ipv4(address) && address.bytes[12] == 169 && address.bytes[13] == 254;
}

namespace {

/// All of 127.0.0.0/8 belongs to this host, not only what the loopback interface lists (RFC 1122,
/// 3.2.1.3): software devices use it.
bool is_of_loopback(const IpAddress& address, const NetAddress& listed) {
  return is_ipv4(address) && is_loopback(address) && is_ipv4(listed.address) &&
         is_loopback(listed.address);
}

}  // namespace

const NetAddress* address_of(const HostMap& host, const RdmaGid& gid) {
  for (const Netdev& netdev : host.netdevs) {
    for (const NetAddress& one : netdev.addresses) {
      if (!gid.netdev.empty() && gid.netdev != netdev.name) continue;
      if (one.address == gid.gid || is_of_loopback(gid.gid, one)) return &one;
    }
  }
  return nullptr;
}

const RdmaGid* chosen_gid(const HostMap& host, const RdmaPort& port) {
  const auto rank = [](const RdmaGid& gid) {
    if (is_ipv4_link_local(gid.gid)) return 2;
    return is_ipv4(gid.gid) ? 0 : 1;
  };
  const RdmaGid* best = nullptr;
  for (const RdmaGid& gid : port.gids) {
    if (gid.type != "RoCE v2" || is_ipv6_link_local(gid.gid)) continue;
    if (address_of(host, gid) == nullptr) continue;
    if (best == nullptr || rank(gid) < rank(*best)) best = &gid;
  }
  return best;
}

}  // namespace railgauge::topology
