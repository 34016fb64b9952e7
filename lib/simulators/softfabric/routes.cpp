#include "softfabric/routes.hpp"

#include <cmath>
#include <limits>

namespace railgauge::softfabric {
namespace {

constexpr unsigned kUnreached = std::numeric_limits<unsigned>::max();

}  // namespace

Routes::Routes(const Fabric& fabric, const Topology& topology, const std::vector<bool>& link_up)
    : fabric_(&fabric),
      topology_(&topology),
      up_(link_up),
      direct_(topology.wires.size()),
      between_(topology.switches() * topology.switches()) {
  for (const auto& [address, wire] : topology.by_address) {
    if (usable(wire)) add(direct_[wire], wire);
  }
  for (auto node = static_cast<Index>(topology.hosts); node < topology.names.size(); ++node) {
    find_ways_to(node);
  }
}

const NextHops& Routes::to(Index node, Index destination) const {
  const Index last = topology_->wires[destination].from;
  return last == node ? direct_[destination] : between_[place(node, last)];
}

Routes::Distances Routes::distances_to(Index target) const {
  Distances distances(topology_->names.size(), kUnreached);
  distances[target] = 0;
  std::vector<Index> reached{target};
  for (std::size_t at = 0; at < reached.size(); ++at) {
    for (const Index wire : topology_->leaving[reached[at]]) {
      const Index next = topology_->wires[wire].to;
      if (topology_->is_host(next) || !usable(wire) || distances[next] != kUnreached) continue;
      distances[next] = distances[reached[at]] + 1;
      reached.push_back(next);
    }
  }
  return distances;
}

void Routes::find_ways_to(Index target) {
  const Distances distances = distances_to(target);
  for (auto node = static_cast<Index>(topology_->hosts); node < distances.size(); ++node) {
    if (node == target || distances[node] == kUnreached) continue;
    for (const Index wire : topology_->leaving[node]) {
      const bool nearer = distances[topology_->wires[wire].to] == distances[node] - 1;
      if (usable(wire) && nearer) add(between_[place(node, target)], wire);
    }
  }
}

void Routes::add(NextHops& hops, Index wire) {
  const auto rate =
      static_cast<std::uint64_t>(std::llround(fabric_->links[link_of(wire)].rate_mbit_per_s));
  const std::uint64_t before =
      hops.cumulative_mbit_per_s.empty() ? 0 : hops.cumulative_mbit_per_s.back();
  hops.wires.push_back(wire);
  hops.cumulative_mbit_per_s.push_back(before + rate);
}

std::size_t Routes::place(Index node, Index target) const {
  return (node - topology_->hosts) * topology_->switches() + (target - topology_->hosts);
}

}  // namespace railgauge::softfabric
