#pragma once

#include <string>

#include "topology/host_map.hpp"
#include "tree.hpp"

namespace railgauge::topology {

/// One of the machines of bundles/make, as recorded.
inline Recording bundle_recording(const std::string& name) {
  return load_recording(in_build("tests/topology/bundles/") + name + ".host");
}

/// The same, as understood.
inline HostMap bundle(const std::string& name) {
  return read_host(bundle_recording(name));
}

/// A host like another one, with 10.x.0.NUMBER for addresses.
inline HostMap another(HostMap map, int number) {
  map.host = "node" + std::to_string(number);
  const auto renumber = [&](IpAddress& address) {
    if (is_ipv4(address)) address.bytes[15] = static_cast<std::uint8_t>(number);
  };
  for (Netdev& netdev : map.netdevs) {
    for (NetAddress& one : netdev.addresses) renumber(one.address);
  }
  for (RdmaDevice& device : map.devices) {
    device.node_guid += std::to_string(number);
    for (RdmaPort& port : device.ports) {
      for (RdmaGid& gid : port.gids) renumber(gid.gid);
    }
  }
  return map;
}

}  // namespace railgauge::topology
