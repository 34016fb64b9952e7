#include "executor/plan.hpp"

#include <gtest/gtest.h>

#include "schedule/ring.hpp"

namespace railgauge::executor {
namespace {

using transport::LaneRequest;

TEST(Plan, NeedsLanesToBothNeighboursOnEveryRail) {
  EXPECT_EQ(lanes_of(schedule::ring_all_reduce(5), 0, 2),
            (std::vector<LaneRequest>{{1, 0}, {1, 1}, {4, 0}, {4, 1}}));
  EXPECT_EQ(lanes_of(schedule::ring_all_reduce(2), 1, 1), (std::vector<LaneRequest>{{0, 0}}));
  EXPECT_TRUE(lanes_of(schedule::ring_all_reduce(1), 0, 2).empty());
}

TEST(Plan, KnowsWhatThePeerDoesWithASend) {
  const auto schedule = schedule::ring_all_reduce(3);
  const auto lanes = lanes_of(schedule, 0, 1);
  const Plan plan = make_plan(schedule, 0, Layout::whole(30, 3), 4, 1, lanes);
  ASSERT_EQ(plan.sends[0].size(), 4U);  // lane 0 leads to rank 1, the next
  const auto& sends = plan.sends[0];
  EXPECT_TRUE(plan.ops[sends[0]].peer_reduces);
  EXPECT_TRUE(plan.ops[sends[0]].from_input);
  EXPECT_TRUE(plan.ops[sends[1]].peer_reduces);
  EXPECT_FALSE(plan.ops[sends[1]].from_input);  // combined by now
  EXPECT_FALSE(plan.ops[sends[2]].peer_reduces);
  EXPECT_FALSE(plan.ops[sends[3]].peer_reduces);
}

TEST(Plan, MakesASendWaitForWhatItPassesOn) {
  const auto schedule = schedule::ring_all_reduce(3);
  const auto lanes = lanes_of(schedule, 0, 1);
  const Plan plan = make_plan(schedule, 0, Layout::whole(30, 3), 4, 1, lanes);
  const auto second_send = plan.ops[plan.sends[0][1]];
  ASSERT_EQ(plan.dependencies_of(second_send).size(), 1U);
  EXPECT_EQ(plan.dependencies_of(second_send)[0], plan.arrivals[1][0]);
  EXPECT_TRUE(plan.dependencies_of(plan.ops[plan.sends[0][0]]).empty());
}

TEST(Plan, LeavesOutOpsOfNoBytes) {
  const auto schedule = schedule::ring_all_reduce(4);
  const auto lanes = lanes_of(schedule, 0, 2);
  EXPECT_TRUE(make_plan(schedule, 0, Layout::whole(0, 4), 4, 2, lanes).ops.empty());
  std::size_t ops = 0;
  for (Rank rank = 0; rank < 4; ++rank) {
    ops += make_plan(schedule, rank, Layout::whole(1, 4), 4, 2, lanes_of(schedule, rank, 2))
               .ops.size();
  }
  EXPECT_EQ(ops, 2U * 2 * 3);  // one block on one rail: a send and an arrival a hop
}

/// A rule that sends a range of which one block has been written and one has not.
schedule::Schedule mixed_range() {
  return {"mixed",
          schedule::Collective::all_gather,
          2,
          2,
          2,
          {},
          [](Rank rank, schedule::Step step, schedule::Ops& ops) {
            if (step == 0) {
              ops.push_back({rank == 0 ? Action::receive : Action::send, 1 - rank, {1, 1}});
            } else {
              ops.push_back({rank == 0 ? Action::send : Action::receive, 1 - rank, {0, 2}});
            }
          }};
}

TEST(Plan, CopiesWhatStillLiesInTheInputOfAMixedRange) {
  const auto schedule = mixed_range();
  const Plan plan = make_plan(schedule, 0, Layout::whole(8, 2), 4, 1, lanes_of(schedule, 0, 1));
  ASSERT_EQ(plan.copies.size(), 1U);
  EXPECT_EQ(plan.ops[plan.copies[0]].blocks, (schedule::BlockRange{0, 1}));
  const PlannedOp& send = plan.ops[plan.sends[0][0]];
  EXPECT_FALSE(send.from_input);
  EXPECT_EQ(plan.dependencies_of(send).size(), 2U);
}

TEST(Plan, RefusesAScheduleThatDoesNotFitTogether) {
  auto schedule = schedule::ring_all_reduce(3);
  schedule.rule = [](Rank, schedule::Step, schedule::Ops& ops) {
    ops.push_back({Action::send, 0, {0, 1}});
  };
  const std::vector<LaneRequest> lanes{{0, 0}};
  EXPECT_THROW((void)make_plan(schedule, 1, Layout::whole(30, 3), 4, 1, lanes), std::logic_error);
}

}  // namespace
}  // namespace railgauge::executor
