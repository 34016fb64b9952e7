#include "experiments/collective/cross_node.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace railgauge::runner {
namespace {

using results::Rank;
using results::RankRail;

/// How many of the NICs that a rank drives there are, and how many of them are of another node.
struct Nics {
  double all = 0;
  double far = 0;
};

Nics nics_of(const Rank& rank, const RailSet& driven) {
  Nics nics;
  for (const RankRail& nic : rank.rails) {
    if (std::ranges::count(driven, static_cast<unsigned>(nic.rail)) == 0 || nic.numa_node < 0)
      continue;
    ++nics.all;
    if (nic.numa_node != rank.numa_node) ++nics.far;
  }
  return nics;
}

/// Whether each NIC of the hosts has a rank on its node.
bool each_has_a_rank_near(std::span<const Rank> ranks) {
  std::map<std::string, std::set<int>> nodes;  // with ranks, by host
  for (const Rank& rank : ranks) nodes[rank.host].insert(rank.numa_node);
  return std::ranges::all_of(ranks, [&](const Rank& rank) {
    const std::set<int>& here = nodes.at(rank.host);
    return std::ranges::all_of(rank.rails,
                               [&](const RankRail& nic) { return here.contains(nic.numa_node); });
  });
}

}  // namespace

std::optional<double> share_between_nodes(std::span<const Rank> ranks,
                                          std::span<const RailSet> rails) {
  double known = 0;
  double far = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i].numa_node < 0) continue;
    const Nics nics = nics_of(ranks[i], rails[i]);
    if (nics.all == 0) continue;
    ++known;
    far += nics.far / nics.all;
  }
  if (known == 0) return std::nullopt;
  return far / known;
}

std::string cross_node_note(std::span<const Rank> ranks, std::span<const RailSet> rails) {
  constexpr double kPercent = 100;
  const double share = share_between_nodes(ranks, rails).value_or(0);
  if (share <= 0) return "";
  return "note: " + std::to_string(std::lround(kPercent * share)) +
         " % of the data pass between NUMA nodes of a host, as ranks drive NICs of other nodes; " +
         (each_has_a_rank_near(ranks) ? "--rails own has each rank drive near ones"
                                      : "start ranks on each node, with --rails own");
}

}  // namespace railgauge::runner
