#include "experiments/collective/cross_node.hpp"

#include <algorithm>
#include <cmath>

namespace railgauge::runner {
namespace {

bool knows(const RankNodes& rank) {
  return rank.node >= 0 && std::ranges::any_of(rank.planes, [](int node) { return node >= 0; });
}

void count(CrossNode& counted, const RankNodes& rank, unsigned plane, std::uint64_t blocks) {
  if (rank.node < 0 || rank.planes[plane] < 0) return;
  counted.sent += blocks;
  if (!rank.is_near(plane)) counted.far += blocks;
}

}  // namespace

CrossNode cross_node_of(const schedule::Schedule& schedule, schedule::Rank rank,
                        const executor::Stripes& stripes, std::span<const RankNodes> nodes,
                        bool by_memory) {
  CrossNode counted;
  for (schedule::Step step = 0; step < schedule.steps; ++step) {
    for (const schedule::Op& op : schedule.ops(rank, step)) {
      if (op.action != schedule::Action::send) continue;
      if (by_memory && nodes[op.peer].host == nodes[rank].host) continue;
      for (unsigned stripe = 0; stripe < stripes.rails; ++stripe)
        count(counted, nodes[rank], stripes.rail(stripe, op.peer), op.blocks.count);
    }
  }
  return counted;
}

std::string cross_node_note(const std::string& algorithm, const CrossNode& all,
                            std::span<const RankNodes> nodes) {
  constexpr double kPercent = 100;
  if (all.far == 0) return "";
  const double share = static_cast<double>(all.far) / static_cast<double>(all.sent);
  std::string note = "note: " + algorithm + ": " + std::to_string(std::lround(kPercent * share)) +
                     " % of the data pass between NUMA nodes of a host, from a rank on one to a "
                     "NIC on the other";
  if (!every_nic_has_a_rank_near(nodes)) note += "; start ranks on each node";
  return note;
}

bool knows_nodes(std::span<const RankNodes> nodes) {
  return std::ranges::any_of(nodes, knows);
}

}  // namespace railgauge::runner
