#include "executor/lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "schedule/halving_doubling.hpp"
#include "schedule/ring.hpp"
#include "schedule/two_trees.hpp"

namespace railgauge::executor {
namespace {

using schedule::Rank;
using transport::LaneRequest;

TEST(Lanes, LeadToBothNeighboursOnEveryRail) {
  EXPECT_EQ(lanes_of(schedule::ring_all_reduce(5), 0, Stripes{2, 1}),
            (std::vector<LaneRequest>{{1, 0}, {1, 1}, {4, 0}, {4, 1}}));
  EXPECT_EQ(lanes_of(schedule::ring_all_reduce(2), 1, Stripes{}),
            (std::vector<LaneRequest>{{0, 0}}));
  EXPECT_TRUE(lanes_of(schedule::ring_all_reduce(1), 0, Stripes{2, 1}).empty());
}

TEST(Lanes, AreAsManyOnARailAsThereAreQueuePairs) {
  EXPECT_EQ(lanes_of(schedule::ring_all_reduce(2), 0, Stripes{2, 2}),
            (std::vector<LaneRequest>{{1, 0}, {1, 1}, {1, 0}, {1, 1}}));
}

TEST(Lanes, OfSeveralSchedulesAreSharedByThem) {
  const std::array schedules{schedule::ring_all_reduce(4),
                             schedule::halving_doubling_all_reduce(4)};
  EXPECT_EQ(lanes_of(schedules, 0, Stripes{}), (std::vector<LaneRequest>{{1, 0}, {2, 0}, {3, 0}}));
}

/// Both ends have to number what is between them alike: the k-th lane of one is the k-th of the
/// other.
TEST(Lanes, MeetTheSameLanesOfThePeer) {
  const std::array schedules{schedule::ring_all_reduce(13), schedule::two_tree_all_reduce(13)};
  const Stripes stripes{2, 3};
  for (Rank rank = 0; rank < 13; ++rank) {
    const auto ours = lanes_of(schedules, rank, stripes);
    for (Rank peer = 0; peer < 13; ++peer) {
      for (const unsigned rail : {0U, 1U}) {
        const auto theirs = lanes_of(schedules, peer, stripes);
        EXPECT_EQ(std::ranges::count(ours, LaneRequest{peer, rail}),
                  std::ranges::count(theirs, LaneRequest{rank, rail}));
      }
    }
  }
}

TEST(Lanes, OfTreesAreOneATree) {
  const auto schedule = schedule::two_tree_all_reduce(2);
  const std::vector<LaneRequest> lanes = lanes_of(schedule, 0, Stripes{});
  EXPECT_EQ(lanes, (std::vector<LaneRequest>{{1, 0}, {1, 0}}));
  const LaneMap map(schedule, 0, {}, lanes);
  EXPECT_NE(map.lane(1, 0, 0), map.lane(1, 0, 1));
}

TEST(Lanes, HaveToBeThere) {
  const std::vector<LaneRequest> lanes{{1, 0}};
  EXPECT_THROW(LaneMap(schedule::two_tree_all_reduce(2), 0, {}, lanes), std::logic_error);
}

TEST(Stripes, AreNotSmallerThanIsWorthIt) {
  const Stripes stripes{4, 2, 1000};
  EXPECT_EQ(stripes.used(0), 1U);
  EXPECT_EQ(stripes.used(1999), 1U);
  EXPECT_EQ(stripes.used(3000), 3U);
  EXPECT_EQ(stripes.used(1'000'000), 8U);
  EXPECT_EQ((Stripes{4, 2, 0}.used(0)), 8U);
  EXPECT_EQ(stripes.rail(5), 1U);
}

}  // namespace
}  // namespace railgauge::executor
