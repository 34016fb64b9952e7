#include "experiments/collective/cross_node.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "schedule/algorithms.hpp"

namespace railgauge::runner {
namespace {

/// Hosts with `nodes` NUMA nodes of `nics` NICs and `per_node` ranks each.
struct Hosts {
  int hosts = 2;
  int nodes = 2;
  int nics = 4;
  int per_node = 4;
};

results::Rank rank_of(const Hosts& of, int number) {
  const int per_host = of.nodes * of.per_node;
  results::Rank rank{.rank = number, .host = "host" + std::to_string(number / per_host)};
  rank.numa_node = number % per_host / of.per_node;
  for (int rail = 0; rail < of.nodes * of.nics; ++rail) {
    rank.rails.push_back({.rail = rail, .device = "mlx5_" + std::to_string(rail)});
    rank.rails.back().numa_node = rail / of.nics;
  }
  return rank;
}

std::vector<results::Rank> ranks_of(const Hosts& of) {
  std::vector<results::Rank> ranks;
  const int count = of.hosts * of.nodes * of.per_node;
  ranks.reserve(static_cast<std::size_t>(count));
  for (int number = 0; number < count; ++number) ranks.push_back(rank_of(of, number));
  return ranks;
}

std::vector<RailSet> all_rails(const std::vector<results::Rank>& ranks) {
  RailSet all;
  for (const auto& nic : ranks[0].rails) all.push_back(static_cast<unsigned>(nic.rail));
  return std::vector<RailSet>(ranks.size(), all);
}

std::vector<RailSet> near_rails(const std::vector<results::Rank>& ranks) {
  std::vector<RailSet> near(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    for (const auto& nic : ranks[i].rails) {
      if (nic.numa_node == ranks[i].numa_node) near[i].push_back(static_cast<unsigned>(nic.rail));
    }
  }
  return near;
}

TEST(CrossNode, IsHalfOfTheDataOfAHostWithTwoNodes) {
  const auto ranks = ranks_of({});
  EXPECT_DOUBLE_EQ(share_between_nodes(ranks, all_rails(ranks)).value_or(-1), 0.5);
  EXPECT_EQ(
      cross_node_note(ranks, all_rails(ranks)),
      "note: 50 % of the data pass between NUMA nodes of a host, as ranks drive NICs of other "
      "nodes; --rails own has each rank drive near ones");
  EXPECT_DOUBLE_EQ(share_between_nodes(ranks, near_rails(ranks)).value_or(-1), 0);
  EXPECT_EQ(cross_node_note(ranks, near_rails(ranks)), "");
}

TEST(CrossNode, IsMoreWithMoreNodes) {
  const auto ranks = ranks_of({.nodes = 4, .nics = 2, .per_node = 2});
  EXPECT_DOUBLE_EQ(share_between_nodes(ranks, all_rails(ranks)).value_or(-1), 0.75);
}

TEST(CrossNode, OfOneRankAHostNeedsMoreRanks) {
  auto ranks = ranks_of({.nodes = 2, .per_node = 1});
  std::erase_if(ranks, [](const results::Rank& rank) { return rank.numa_node == 1; });
  EXPECT_DOUBLE_EQ(share_between_nodes(ranks, all_rails(ranks)).value_or(-1), 0.5);
  EXPECT_TRUE(cross_node_note(ranks, all_rails(ranks))
                  .ends_with("start ranks on each node, with --rails own"));
}

TEST(CrossNode, IsNothingOnOneNode) {
  const auto ranks = ranks_of({.nodes = 1});
  EXPECT_DOUBLE_EQ(share_between_nodes(ranks, all_rails(ranks)).value_or(-1), 0);
  EXPECT_EQ(cross_node_note(ranks, all_rails(ranks)), "");
}

TEST(CrossNode, IsNotKnownOfSoftwareDevicesOrOfRanksThatMayRunAnywhere) {
  auto ranks = ranks_of({});
  for (results::Rank& rank : ranks) rank.numa_node = -1;
  EXPECT_FALSE(share_between_nodes(ranks, all_rails(ranks)).has_value());
  ranks = ranks_of({});
  for (results::Rank& rank : ranks) {
    for (auto& nic : rank.rails) nic.numa_node = -1;
  }
  EXPECT_FALSE(share_between_nodes(ranks, all_rails(ranks)).has_value());
  EXPECT_EQ(cross_node_note(ranks, all_rails(ranks)), "");
}

std::uint64_t blocks_sent(const schedule::Schedule& schedule, schedule::Rank rank) {
  std::uint64_t blocks = 0;
  for (schedule::Step step = 0; step < schedule.steps; ++step) {
    for (const schedule::Op& op : schedule.ops(rank, step)) {
      if (op.action == schedule::Action::send) blocks += op.blocks.count;
    }
  }
  return blocks;
}

/// Counted piece by piece: a ring all-reduce of 16 MiB by 16 ranks of two hosts, each block over
/// all rails of a rank in equal parts.
TEST(CrossNode, IsTheShareOfTheBytesOfASchedule) {
  constexpr std::uint64_t kBytes = std::uint64_t{16} << 20;
  const auto ranks = ranks_of({});
  const auto rails = all_rails(ranks);
  const auto count = static_cast<schedule::Rank>(ranks.size());
  const auto ring = schedule::find_algorithm(schedule::Collective::all_reduce, "ring")
                        ->make({.ranks = count, .per_host = count / 2});
  std::uint64_t all = 0;
  std::uint64_t far = 0;
  for (schedule::Rank rank = 0; rank < count; ++rank) {
    const std::uint64_t sent = blocks_sent(ring, rank) * (kBytes / ring.blocks);
    for (const auto& nic : ranks[rank].rails) {
      all += sent / rails[rank].size();
      if (nic.numa_node != ranks[rank].numa_node) far += sent / rails[rank].size();
    }
  }
  EXPECT_EQ(all, std::uint64_t{2} * (count - 1) * kBytes);
  EXPECT_DOUBLE_EQ(static_cast<double>(far) / static_cast<double>(all),
                   share_between_nodes(ranks, rails).value_or(-1));
}

}  // namespace
}  // namespace railgauge::runner
