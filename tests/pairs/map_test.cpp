#include "pairs/map.hpp"

#include <gtest/gtest.h>

#include "fabric_of_pairs.hpp"
#include "pairs/heat_map.hpp"

namespace railgauge::pairs {
namespace {

using results::PairRow;

TEST(PairsMap, HasALineForEachNicAndTheirFigures) {
  auto rows = Hosts(3, 2).rows(48);
  set_bandwidth(rows[0].figures, 12);
  const auto map = map_of(rows, "bandwidth");
  ASSERT_TRUE(map);
  ASSERT_EQ(map->nics().size(), 6U);
  EXPECT_EQ(map->nics()[1].host, "host0");
  EXPECT_EQ(map->nics()[1].rail, 1);
  const auto& slow = map->at(0, 2);
  ASSERT_TRUE(slow);
  EXPECT_EQ(slow->share, 0.25);
  EXPECT_EQ(slow->text, "12 GB/s");
  EXPECT_FALSE(map->at(0, 1));
  EXPECT_FALSE(map_of(rows, "write"));
}

TEST(PairsMap, OfConnectHasBothFigures) {
  auto rows = Hosts(3, 1).rows(48);
  for (PairRow& row : rows) {
    row.mode = "connect";
    row.figures.time = measure::Summary{.n = 20, .p50_us = 2};
  }
  const auto map = map_of(rows, "connect");
  ASSERT_TRUE(map);
  EXPECT_EQ(map->at(0, 1)->text, "48 GB/s, 2 us");
  EXPECT_FALSE(map->has_planes());
}

TEST(PairsMap, IsRelativeToWaysOverAsManySwitches) {
  auto rows = Hosts(4, 1).rows(48);
  for (std::size_t at = 0; at < rows.size(); ++at) {
    rows[at].switches = at < 6 ? 1 : 3;
    if (at < 6) continue;
    set_bandwidth(rows[at].figures, 24);
  }
  const auto map = map_of(rows, "bandwidth");
  ASSERT_TRUE(map);
  EXPECT_EQ(map->at(0, 1)->share, 1);
  EXPECT_EQ(map->at(3, 2)->share, 1);
}

TEST(PairsMap, OfManyNicsTwoHostsAreTheirWorstWay) {
  auto rows = Hosts(20, 4).rows(48);
  set_bandwidth(rows[5].figures, 24);  // host0 rail 0 to host6
  const auto map = map_of(rows, "bandwidth");
  ASSERT_TRUE(map);
  EXPECT_EQ(map->nics().size(), 20U);
  // By name: host0, host1, host10 ... host19, host2 ... host9.
  for (std::size_t to = 1; to < 20; ++to) {
    const bool slow = map->nics()[to].host == "host6";
    EXPECT_EQ(map->at(0, to)->share, slow ? 0.5 : 1) << to;
  }
}

TEST(PairsMap, OfManyHostsTheWorstAreShown) {
  auto rows = Hosts(100, 1).rows(48);
  for (PairRow& row : rows) {
    if (row.from.host == "host77" && row.to.host == "host42") row.figures = {.reason = "broken"};
  }
  const auto map = map_of(rows, "bandwidth");
  ASSERT_TRUE(map);
  ASSERT_EQ(map->nics().size(), kMostOnMap);
  EXPECT_EQ(map->nics()[0].host, "host42");
  EXPECT_EQ(map->nics()[1].host, "host77");
  EXPECT_FALSE(map->at(1, 0)->works);
  EXPECT_NE(heat_map(*map, false).find('X'), std::string::npos);
}

TEST(PairsMap, WorstRowsComeFirst) {
  auto rows = Hosts(4, 1).rows(48);
  set_bandwidth(rows[3].figures, 40);
  rows[5].verdict = results::PairVerdict::fail;
  const auto worst = worst_of(rows, 2);
  ASSERT_EQ(worst.size(), 2U);
  EXPECT_EQ(worst[0], &rows[5]);
  EXPECT_EQ(worst[1], &rows[3]);
}

}  // namespace
}  // namespace railgauge::pairs
