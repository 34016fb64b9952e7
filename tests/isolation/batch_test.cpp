#include "isolation/batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace railgauge::isolation {
namespace {

using Direction = Batches::Direction;

constexpr int kLeaf0 = 0;
constexpr int kLeaf1 = 1;
constexpr int kFirstSpine = 2;

/// A source port over each of so many spines.
std::vector<Route> over_spines(int spines, int up = kLeaf0, int down = kLeaf1) {
  std::vector<Route> routes;
  for (int spine = 0; spine < spines; ++spine) {
    routes.push_back(
        {static_cast<std::uint16_t>(49152 + spine), {up, kFirstSpine + spine, down}, false});
  }
  return routes;
}

std::vector<Pair> pairs(std::size_t count) {
  std::vector<Pair> all;
  for (std::size_t pair = 0; pair < count; ++pair) all.push_back({2 * pair, 2 * pair + 1});
  return all;
}

Batches of(std::size_t count, const std::vector<Route>& routes) {
  Batches batches;
  for (const Pair& pair : pairs(count)) batches.set_routes(pair.first, pair.second, routes);
  return batches;
}

std::set<int> spines_of(const std::vector<PlannedTest>& tests) {
  std::set<int> spines;
  for (const PlannedTest& test : tests) spines.insert(test.route.hops.at(1));
  return spines;
}

TEST(Batch, HasEveryPairOnALinkOfItsOwn) {
  Batches batches = of(4, over_spines(4));
  for (int turn = 0; turn < 5; ++turn) {
    const auto tests = batches.next(pairs(4), Direction::forward);
    ASSERT_EQ(tests.size(), 4U);
    EXPECT_EQ(spines_of(tests).size(), 4U);
  }
}

TEST(Batch, LeavesOutPairsWithoutAFreePath) {
  Batches batches = of(3, over_spines(2));
  std::set<std::size_t> tested;
  for (int turn = 0; turn < 3; ++turn) {
    const auto tests = batches.next(pairs(3), Direction::forward);
    EXPECT_EQ(tests.size(), 2U);
    for (const PlannedTest& test : tests) tested.insert(test.from);
  }
  EXPECT_EQ(tested.size(), 3U) << "another is left out each time";
}

/// One pair, four spines: each of them in four batches.
TEST(Batch, PrefersWhatWasTestedLeast) {
  Batches batches = of(1, over_spines(4));
  std::set<int> seen;
  for (int turn = 0; turn < 4; ++turn)
    seen.merge(spines_of(batches.next(pairs(1), Direction::forward)));
  EXPECT_EQ(seen.size(), 4U);
}

TEST(Batch, BackTakesTheOtherDirectionsRoutes) {
  Batches batches;
  batches.set_routes(1, 0, over_spines(1, kLeaf1, kLeaf0));
  EXPECT_TRUE(batches.next(pairs(1), Direction::forward).empty());
  const auto tests = batches.next(pairs(1), Direction::reverse);
  ASSERT_EQ(tests.size(), 1U);
  EXPECT_EQ(tests[0].from, 1U);
  EXPECT_EQ(tests[0].to, 0U);
}

/// Both may take the same link up; from different leaves to different leaves they cannot.
TEST(Batch, TakesWhatIsNotKnownForAnyLink) {
  const auto unknown = [](int up, int down) {
    return std::vector<Route>{{49152, {up, kUnknownSwitch, down}, false}};
  };
  Batches same = of(2, unknown(kLeaf0, kLeaf1));
  EXPECT_EQ(same.next(pairs(2), Direction::forward).size(), 1U);
  Batches apart = of(1, unknown(kLeaf0, kLeaf1));
  apart.set_routes(2, 3, unknown(kLeaf1, kLeaf0));
  EXPECT_EQ(apart.next(pairs(2), Direction::forward).size(), 2U);
}

TEST(Batch, TakesASprayedTestForOneOverAllLinks) {
  Batches batches = of(1, {{49152, {kLeaf0, kFirstSpine, kLeaf1}, true}});
  batches.set_routes(2, 3, {{49152, {kLeaf0, kFirstSpine + 1, kLeaf1}, false}});
  EXPECT_EQ(batches.next(pairs(2), Direction::forward).size(), 1U);
}

TEST(Batch, OfWaysOfWhichNothingIsKnownHasOneTest) {
  Batches batches = of(3, {{49152, {}, false}});
  EXPECT_EQ(batches.next(pairs(3), Direction::forward).size(), 1U);
}

/// It may share a link with all others.
TEST(Batch, HasAPairOfWhoseWaysNothingIsKnownLast) {
  Batches batches = of(4, over_spines(4));
  batches.set_routes(0, 1, {{49152, {}, false}});
  for (int turn = 0; turn < 4; ++turn)
    EXPECT_EQ(batches.next(pairs(4), Direction::forward).size(), 3U);
}

/// Nobody shares a link below one switch.
TEST(Batch, BelowOneSwitchHasEveryPair) {
  Batches batches = of(3, {{49152, {kLeaf0}, false}});
  EXPECT_EQ(batches.next(pairs(3), Direction::forward).size(), 3U);
}

TEST(Batch, FindsTheRouteOfAFlow) {
  const Batches batches = of(1, over_spines(2));
  EXPECT_EQ(batches.test_of({0, 1, 49153}).route.hops, (std::vector<int>{kLeaf0, 3, kLeaf1}));
  EXPECT_THROW((void)batches.test_of({0, 1, 50000}), std::out_of_range);
  EXPECT_THROW((void)batches.test_of({1, 0, 49153}), std::out_of_range);
}

}  // namespace
}  // namespace railgauge::isolation
