#include "softfabric/topology.hpp"

#include <algorithm>

#include "fabric/addresses.hpp"

namespace railgauge::softfabric {

Topology::Topology(const Fabric& fabric) : hosts(fabric.hosts.size()) {
  for (const Host& host : fabric.hosts) names.push_back(host.name);
  for (const Switch& one : fabric.switches) names.push_back(one.name);
  leaving.resize(names.size());
  const auto add = [this](const LinkEnd& from, const LinkEnd& to) {
    const auto wire = static_cast<Index>(wires.size());
    wires.push_back({node(from.node), node(to.node)});
    leaving[wires.back().from].push_back(wire);
    if (is_host(wires.back().to)) by_address[fabric::described::ipv4_of(to.address).value()] = wire;
  };
  for (const Link& link : fabric.links) {
    add(link.a, link.b);
    add(link.b, link.a);
  }
}

Index Topology::wire_to(std::uint32_t address) const {
  const auto found = by_address.find(address);
  return found == by_address.end() ? kNone : found->second;
}

Index Topology::node(std::string_view name) const {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? kNone : static_cast<Index>(found - names.begin());
}

}  // namespace railgauge::softfabric
