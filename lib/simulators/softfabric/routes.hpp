#pragma once

#include <cstdint>
#include <vector>

#include "softfabric/topology.hpp"

namespace railgauge::softfabric {

/// The equal-cost wires of one route, in the order of the links.
struct NextHops {
  std::vector<Index> wires{};
  /// Of each wire and those in front of it together, by their rates: for `Balance::wcmp`.
  std::vector<std::uint64_t> cumulative_mbit_per_s{};
};

/// The shortest ways from every switch to every host, over the links that are up. Hosts pass
/// nothing on.
class Routes {
 public:
  Routes(const Fabric& fabric, const Topology& topology, const std::vector<bool>& link_up);

  /// From a switch to the host that a wire leads to; empty if there is no way.
  [[nodiscard]] const NextHops& to(Index node, Index destination) const;

 private:
  using Distances = std::vector<unsigned>;  // by node
  [[nodiscard]] Distances distances_to(Index target) const;
  void add(NextHops& hops, Index wire);
  void find_ways_to(Index target);
  [[nodiscard]] bool usable(Index wire) const { return up_[link_of(wire)]; }
  [[nodiscard]] std::size_t place(Index node, Index target) const;

  const Fabric* fabric_;
  const Topology* topology_;
  std::vector<bool> up_;
  std::vector<NextHops> direct_;   // by wire to a host
  std::vector<NextHops> between_;  // by switch and the last switch
};

}  // namespace railgauge::softfabric
