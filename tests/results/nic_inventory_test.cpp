#include "results/nic_inventory.hpp"

#include <gtest/gtest.h>

namespace railgauge::results {
namespace {

constexpr double kNic = 12.5;  // GB/s of a line rate of 100 Gb/s
constexpr double kGigabits = 100;

std::vector<Nic> nics(int first, int count) {
  std::vector<Nic> nics;
  for (int rail = first; rail < first + count; ++rail) {
    nics.push_back({rail, "mlx5_" + std::to_string(rail), kGigabits});
  }
  return nics;
}

/// Two hosts, of so many ranks each, which share so many NICs.
NicInventory shared(int ranks, int rails) {
  NicInventory nic_inventory;
  for (const char* host : {"a", "b"}) {
    for (int rank = 0; rank < ranks; ++rank) nic_inventory.add_rank(host, nics(0, rails));
  }
  return nic_inventory;
}

double percent(const NicInventory& nic_inventory, const std::vector<int>& rails, double busbw) {
  NicUse use = nic_inventory.use(rails, false);
  use.collective = "all_reduce";
  return 100 * line_rate_fraction(use, busbw).value_or(-1);
}

TEST(NicInventory, OneRankWithTwoRailsSendsOnBoth) {
  EXPECT_EQ(percent(shared(1, 2), {0, 1}, 2 * kNic), 100);
  EXPECT_EQ(percent(shared(1, 2), {1}, kNic), 100);
}

TEST(NicInventory, TwoRanksWithARailEachSendOnTheirOwn) {
  NicInventory nic_inventory;
  for (const char* host : {"a", "b"}) {
    nic_inventory.add_rank(host, {{0, "soft_0 10.0.0.1", kGigabits}});
    nic_inventory.add_rank(host, {{0, "soft_0 10.0.0.2", kGigabits}});
  }
  EXPECT_EQ(nic_inventory.use({0}, false).nics_per_node, 2);
  EXPECT_EQ(percent(nic_inventory, {0}, kNic), 100);
}

TEST(NicInventory, FourRanksShareTwoRails) {
  EXPECT_EQ(percent(shared(4, 2), {0, 1}, kNic / 2), 100);
  EXPECT_EQ(percent(shared(4, 2), {0}, kNic / 4), 100);
}

TEST(NicInventory, EightRanksWithEightRailsHaveOneEach) {
  EXPECT_EQ(percent(shared(8, 8), {0, 1, 2, 3, 4, 5, 6, 7}, kNic), 100);
}

TEST(NicInventory, ThroughMemoryARingLeavesTheHostOnce) {
  const NicUse use = shared(8, 8).use({0, 1, 2, 3, 4, 5, 6, 7}, true);
  EXPECT_EQ(use.beside_nics, std::vector<std::string>{"memory"});
  EXPECT_EQ(line_rate_fraction(use, 8 * kNic), 1);
  EXPECT_EQ(shared(1, 8).use({0}, true).beside_nics, std::vector<std::string>{});
}

TEST(NicInventory, OnOneHostNothingGoesByNicsBesideMemory) {
  NicInventory nic_inventory;
  for (int rank = 0; rank < 2; ++rank) nic_inventory.add_rank("a", nics(0, 1));
  EXPECT_EQ(line_rate_fraction(nic_inventory.use({0}, true), kNic), std::nullopt);
  EXPECT_EQ(line_rate_fraction(nic_inventory.use({0}, false), kNic / 2), 1);
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

TEST(NicInventory, AllPlanesOfANicCount) {
  const NicInventory four = nic_inventory_of(ranks_of_planes({4, 4}));
  EXPECT_EQ(four.use({0, 1}, false).nics_per_node, 2);
  EXPECT_EQ(four.use({0, 1}, false).line_rate_gigabits_per_second, 4 * kGigabits);
  EXPECT_EQ(percent(four, {0, 1}, 8 * kNic), 100);
  EXPECT_EQ(percent(four, {1}, 4 * kNic), 100);
}

/// Seven of eight planes: what a host can send is that of seven.
TEST(NicInventory, OfAPlaneThatIsLostTheRestCount) {
  const NicInventory seven = nic_inventory_of(ranks_of_planes({4, 3}));
  EXPECT_EQ(seven.use({0, 1}, false).nics_per_node, 2);
  EXPECT_EQ(percent(seven, {0, 1}, 7 * kNic), 100);
  EXPECT_EQ(percent(seven, {1}, 3 * kNic), 100);
}

TEST(NicInventory, IsNotKnownWherePlanesDifferInSpeed) {
  std::vector<Rank> ranks = ranks_of_planes({2});
  ranks[1].rails[1].link_gigabits_per_second = kGigabits / 2;
  const NicUse use = nic_inventory_of(ranks).use({0}, false);
  EXPECT_EQ(use.nics_per_node, 1);
  EXPECT_EQ(use.line_rate_gigabits_per_second, std::nullopt);
}

TEST(NicInventory, IsNotKnownWhereHostsOrNicsDiffer) {
  NicInventory nic_inventory;
  nic_inventory.add_rank("a", nics(0, 2));
  nic_inventory.add_rank("b", nics(0, 1));
  EXPECT_EQ(nic_inventory.use({0, 1}, false).nics_per_node, std::nullopt);
  EXPECT_EQ(nic_inventory.use({0}, false).nics_per_node, 1);
  NicInventory mixed;
  mixed.add_rank("a", {{0, "fast", 4 * kGigabits}, {1, "slow", kGigabits}, {2, "unknown", 0}});
  EXPECT_EQ(mixed.use({0, 1}, false).line_rate_gigabits_per_second, std::nullopt);
  EXPECT_EQ(mixed.use({1}, false).line_rate_gigabits_per_second, kGigabits);
  EXPECT_EQ(mixed.use({2}, false).line_rate_gigabits_per_second, std::nullopt);
}

}  // namespace
}  // namespace railgauge::results
