#include "results/nic_use.hpp"

#include <gtest/gtest.h>

namespace railgauge::results {
namespace {

constexpr double kNic = 12.5;  // GB/s of a line rate of 100 Gb/s
constexpr double kGigabits = 100;

/// A rank with a rail of that speed for each.
Rank rank_on(const std::string& host, const std::vector<double>& gigabits) {
  Rank rank{.host = host};
  for (const double speed : gigabits) {
    const auto rail = static_cast<int>(rank.rails.size());
    rank.rails.push_back({.rail = rail,
                          .device = "mlx5_" + std::to_string(rail),
                          .link_gigabits_per_second = speed});
  }
  return rank;
}

/// Two hosts, of so many ranks each, which share so many NICs.
std::vector<Rank> shared(int ranks, std::size_t rails) {
  std::vector<Rank> all;
  for (const char* host : {"a", "b"}) {
    for (int rank = 0; rank < ranks; ++rank)
      all.push_back(rank_on(host, std::vector<double>(rails, kGigabits)));
  }
  return all;
}

double percent(const std::vector<Rank>& ranks, const std::vector<int>& rails, double busbw) {
  NicUse use = nic_use_of(ranks, rails, false);
  use.collective = "all_reduce";
  return 100 * line_rate_fraction(use, busbw).value_or(-1);
}

TEST(NicUse, OneRankWithTwoRailsSendsOnBoth) {
  EXPECT_EQ(percent(shared(1, 2), {0, 1}, 2 * kNic), 100);
  EXPECT_EQ(percent(shared(1, 2), {1}, kNic), 100);
}

TEST(NicUse, TwoRanksWithARailEachSendOnTheirOwn) {
  std::vector<Rank> ranks = shared(2, 1);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    ranks[rank].rails[0].address = "10.0.0." + std::to_string(rank);
  EXPECT_EQ(nic_use_of(ranks, {0}, false).nics_per_node, 2);
  EXPECT_EQ(percent(ranks, {0}, kNic), 100);
}

TEST(NicUse, FourRanksShareTwoRails) {
  EXPECT_EQ(percent(shared(4, 2), {0, 1}, kNic / 2), 100);
  EXPECT_EQ(percent(shared(4, 2), {0}, kNic / 4), 100);
}

TEST(NicUse, EightRanksWithEightRailsHaveOneEach) {
  EXPECT_EQ(percent(shared(8, 8), {0, 1, 2, 3, 4, 5, 6, 7}, kNic), 100);
}

TEST(NicUse, ThroughMemoryARingLeavesTheHostOnce) {
  const NicUse use = nic_use_of(shared(8, 8), {0, 1, 2, 3, 4, 5, 6, 7}, true);
  EXPECT_EQ(use.beside_nics, std::vector<std::string>{"memory"});
  EXPECT_EQ(line_rate_fraction(use, 8 * kNic), 1);
  EXPECT_EQ(nic_use_of(shared(1, 8), {0}, true).beside_nics, std::vector<std::string>{});
}

TEST(NicUse, OnOneHostNothingGoesByNicsBesideMemory) {
  const std::vector<Rank> ranks(2, rank_on("a", {kGigabits}));
  EXPECT_EQ(line_rate_fraction(nic_use_of(ranks, {0}, true), kNic), std::nullopt);
  EXPECT_EQ(line_rate_fraction(nic_use_of(ranks, {0}, false), kNic / 2), 1);
}

/// Ranks of two hosts with two rails of so many planes each.
std::vector<Rank> ranks_of_planes(const std::vector<int>& planes) {
  std::vector<Rank> ranks{{.rank = 0, .host = "a"}, {.rank = 1, .host = "b"}};
  for (Rank& rank : ranks) {
    for (int rail = 0; rail < static_cast<int>(planes.size()); ++rail) {
      for (int plane = 0; plane < planes[static_cast<std::size_t>(rail)]; ++plane) {
        rank.rails.push_back({.rail = rail,
                              .device = "mlx5_" + std::to_string(rail),
                              .port = plane + 1,
                              .link_gigabits_per_second = kGigabits,
                              .plane = plane});
      }
    }
  }
  return ranks;
}

TEST(NicUse, AllPlanesOfANicCount) {
  const std::vector<Rank> four = ranks_of_planes({4, 4});
  EXPECT_EQ(nic_use_of(four, {0, 1}, false).nics_per_node, 2);
  EXPECT_EQ(nic_use_of(four, {0, 1}, false).line_rate_gigabits_per_second, 4 * kGigabits);
  EXPECT_EQ(percent(four, {0, 1}, 8 * kNic), 100);
  EXPECT_EQ(percent(four, {1}, 4 * kNic), 100);
}

/// Seven of eight planes: what a host can send is that of seven.
TEST(NicUse, OfAPlaneThatIsLostTheRestCount) {
  const std::vector<Rank> seven = ranks_of_planes({4, 3});
  EXPECT_EQ(nic_use_of(seven, {0, 1}, false).nics_per_node, 2);
  EXPECT_EQ(percent(seven, {0, 1}, 7 * kNic), 100);
  EXPECT_EQ(percent(seven, {1}, 3 * kNic), 100);
}

TEST(NicUse, IsNotKnownWherePlanesDifferInSpeed) {
  std::vector<Rank> ranks = ranks_of_planes({2});
  ranks[1].rails[1].link_gigabits_per_second = kGigabits / 2;
  const NicUse use = nic_use_of(ranks, {0}, false);
  EXPECT_EQ(use.nics_per_node, 1);
  EXPECT_EQ(use.line_rate_gigabits_per_second, std::nullopt);
}

TEST(NicUse, IsNotKnownWhereHostsOrNicsDiffer) {
  const std::vector<Rank> ranks{rank_on("a", {kGigabits, kGigabits}), rank_on("b", {kGigabits})};
  EXPECT_EQ(nic_use_of(ranks, {0, 1}, false).nics_per_node, std::nullopt);
  EXPECT_EQ(nic_use_of(ranks, {0}, false).nics_per_node, 1);
  const std::vector<Rank> mixed{rank_on("a", {4 * kGigabits, kGigabits, 0})};
  EXPECT_EQ(nic_use_of(mixed, {0, 1}, false).line_rate_gigabits_per_second, std::nullopt);
  EXPECT_EQ(nic_use_of(mixed, {1}, false).line_rate_gigabits_per_second, kGigabits);
  EXPECT_EQ(nic_use_of(mixed, {2}, false).line_rate_gigabits_per_second, std::nullopt);
}

}  // namespace
}  // namespace railgauge::results
