#include "experiments/collective/cross_node.hpp"

#include <gtest/gtest.h>

#include "experiments/collective/hosts_with_nodes.hpp"
#include "schedule/algorithms.hpp"

namespace railgauge::runner {
namespace {

using schedule::Collective;
using schedule::Rank;

schedule::Schedule ring(std::size_t ranks) {
  return schedule::ring_all_reduce(static_cast<Rank>(ranks));
}

CrossNode cross_node_of_all(const schedule::Schedule& schedule, const std::vector<RankNodes>& nodes,
                            Take take = Take::all, bool by_memory = false) {
  CrossNode all;
  for (Rank rank = 0; rank < nodes.size(); ++rank) {
    const CrossNode own =
        cross_node_of(schedule, rank, stripes_of(nodes, rank, take), nodes, by_memory);
    all.sent += own.sent;
    all.far += own.far;
  }
  return all;
}

std::string note_of(const std::vector<RankNodes>& nodes, Take take = Take::all) {
  return cross_node_note("ring", cross_node_of_all(ring(nodes.size()), nodes, take), nodes);
}

TEST(CrossNode, IsHalfOfTheDataOfAHostWithTwoNodes) {
  EXPECT_EQ(note_of(nodes_of_all({})),
            "note: ring: 50 % of the data pass between NUMA nodes of a host, from a rank on one to "
            "a NIC on the other");
}

TEST(CrossNode, IsMoreWithMoreNodes) {
  EXPECT_TRUE(note_of(nodes_of_all({.nodes = 4, .nics = 2, .per_node = 2}))
                  .starts_with("note: ring: 75 % of the data"));
}

/// Two of eight links of the ring lead from a node to another, and half of their rails do.
TEST(CrossNode, IsLittleOverNearRails) {
  EXPECT_TRUE(note_of(nodes_of_all({}), Take::near).starts_with("note: ring: 13 % of the data"));
}

/// Of 15 peers 8 are of the other node, and half of what they get goes to far NICs.
TEST(CrossNode, IsAQuarterOfAnAllToAllOverNearRails) {
  const auto nodes = nodes_of_all({});
  const auto schedule = schedule::pairwise_all_to_all(static_cast<Rank>(nodes.size()));
  const CrossNode all = cross_node_of_all(schedule, nodes, Take::near);
  EXPECT_EQ(all.far * 15, all.sent * 4);
}

TEST(CrossNode, IsOfWhatGoesByNics) {
  const auto nodes = nodes_of_all({.hosts = 1});
  EXPECT_EQ(cross_node_of_all(ring(nodes.size()), nodes, Take::all, true).sent, 0U);
}

TEST(CrossNode, OfOneRankAHostNeedsMoreRanks) {
  auto nodes = nodes_of_all({.per_node = 1});
  std::erase_if(nodes, [](const RankNodes& rank) { return rank.node == 1; });
  EXPECT_EQ(note_of(nodes),
            "note: ring: 50 % of the data pass between NUMA nodes of a host, from a rank on one to "
            "a NIC on the other; start ranks on each node");
}

TEST(CrossNode, IsNothingOnOneNode) {
  EXPECT_EQ(note_of(nodes_of_all({.nodes = 1})), "");
}

TEST(CrossNode, IsNotKnownOfSoftwareDevicesOrOfRanksThatMayRunAnywhere) {
  auto nodes = nodes_of_all({});
  EXPECT_TRUE(knows_nodes(nodes));
  for (RankNodes& rank : nodes) rank.node = -1;
  EXPECT_FALSE(knows_nodes(nodes));
  EXPECT_EQ(note_of(nodes), "");
  nodes = nodes_of_all({});
  for (RankNodes& rank : nodes) std::ranges::fill(rank.planes, -1);
  EXPECT_FALSE(knows_nodes(nodes));
  EXPECT_EQ(note_of(nodes), "");
}

}  // namespace
}  // namespace railgauge::runner
