#pragma once

#include <string>
#include <vector>

#include "experiments/collective/near_rails.hpp"

namespace railgauge::runner {

/// Hosts with `nodes` NUMA nodes of `nics` NICs and `per_node` ranks each, node after node, as
/// placement by rail puts them.
struct HostsWithNodes {
  unsigned hosts = 2;
  int nodes = 2;
  int nics = 4;
  int per_node = 4;

  [[nodiscard]] unsigned ranks() const { return hosts * static_cast<unsigned>(nodes * per_node); }
};

inline RankNodes nodes_of_rank(const HostsWithNodes& of, int number) {
  const int per_host = of.nodes * of.per_node;
  RankNodes rank{.host = "host" + std::to_string(number / per_host),
                 .node = number % per_host / of.per_node,
                 .bound = true};
  for (int nic = 0; nic < of.nodes * of.nics; ++nic) rank.planes.push_back(nic / of.nics);
  return rank;
}

inline std::vector<RankNodes> nodes_of_all(const HostsWithNodes& of) {
  std::vector<RankNodes> all;
  for (unsigned number = 0; number < of.ranks(); ++number)
    all.push_back(nodes_of_rank(of, static_cast<int>(number)));
  return all;
}

/// Every rank takes all rails to all peers, or near ones to near peers.
enum class Take { all, near };

inline executor::Stripes stripes_of(const std::vector<RankNodes>& nodes, schedule::Rank rank,
                                    Take take) {
  executor::Stripes stripes{static_cast<unsigned>(nodes[rank].planes.size()), 1, 0};
  if (take == Take::near) stripes.fewer = NearRails(nodes).of(rank);
  return stripes;
}

}  // namespace railgauge::runner
