#include "experiments/collective/cross_rail.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "schedule/algorithms.hpp"

namespace railgauge::runner {
namespace {

using schedule::Collective;
using schedule::Rank;
using schedule::Schedule;

constexpr Rank kPerHost = 2;
constexpr Rank kRanks = 3 * kPerHost;

Schedule all_reduce(std::string_view name) {
  return schedule::find_algorithm(Collective::all_reduce, name)
      ->make({.ranks = kRanks, .per_host = kPerHost});
}

/// Rank l of every host drives rail l.
std::vector<RailSet> own_rails() {
  std::vector<RailSet> rails;
  for (Rank rank = 0; rank < kRanks; ++rank) rails.push_back({rank % kPerHost});
  return rails;
}

std::optional<Rank> crossing_of(const Schedule& schedule, Rank rank,
                                const std::vector<RailSet>& rails, bool memory) {
  return find_cross_rail_send(schedule, rank, rails, [&](Rank peer) {
    return memory && peer / kPerHost == rank / kPerHost;
  });
}

/// The ranks that cross between rails.
std::vector<Rank> crossing_ranks(const Schedule& schedule, const std::vector<RailSet>& rails,
                                 bool memory) {
  std::vector<Rank> crossing;
  for (Rank rank = 0; rank < kRanks; ++rank) {
    if (crossing_of(schedule, rank, rails, memory)) crossing.push_back(rank);
  }
  return crossing;
}

const std::vector<Rank> kNobody{};
const std::vector<Rank> kEverybody{0, 1, 2, 3, 4, 5};

TEST(CrossRail, NobodyCrossesWhereAllDriveAllRails) {
  const std::vector<RailSet> rails(kRanks, RailSet{0, 1});
  for (const auto& algorithm : schedule::algorithms(Collective::all_reduce)) {
    EXPECT_EQ(crossing_ranks(all_reduce(algorithm.name), rails, false), kNobody) << algorithm.name;
  }
}

TEST(CrossRail, ARingOverHostsCrosses) {
  EXPECT_EQ(crossing_ranks(all_reduce("ring"), own_rails(), true), kEverybody);
  EXPECT_EQ(crossing_ranks(all_reduce("ring"), own_rails(), false), kEverybody);
  EXPECT_EQ(crossing_of(all_reduce("ring"), 1, own_rails(), true), 2U);
}

TEST(CrossRail, HierarchicalAlgorithmsKeepToTheirRailsIfHostsHaveMemory) {
  for (const char* name : {"hierarchical", "hierarchical-ring"}) {
    EXPECT_EQ(crossing_ranks(all_reduce(name), own_rails(), true), kNobody) << name;
  }
}

TEST(CrossRail, HierarchicalAlgorithmsCrossInsideHostsWithoutMemory) {
  EXPECT_EQ(crossing_ranks(all_reduce("hierarchical"), own_rails(), false), kEverybody);
  EXPECT_EQ(crossing_of(all_reduce("hierarchical"), 2, own_rails(), false), 3U);
}

TEST(CrossRail, NobodyCrossesOverMemory) {
  const auto memory = [](Rank) { return true; };
  EXPECT_FALSE(find_cross_rail_send(all_reduce("ring"), 1, own_rails(), memory));
}

}  // namespace
}  // namespace railgauge::runner
