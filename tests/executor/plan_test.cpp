#include "executor/plan.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "schedule/algorithms.hpp"

namespace railgauge::executor {
namespace {

using schedule::Collective;
using transport::ChannelRequest;

TEST(Plan, KnowsWhatThePeerDoesWithASend) {
  const auto schedule = schedule::ring_all_reduce(3);
  const auto channels = channels_of(schedule, 0, Stripes{});
  const Plan plan = make_plan(schedule, 0, Layout::whole(30, 3), 4, {}, channels);
  ASSERT_EQ(plan.sends[0].size(), 4U);  // channel 0 leads to rank 1, the next
  const auto& sends = plan.sends[0];
  EXPECT_TRUE(plan.ops[sends[0]].peer_reduces);
  EXPECT_EQ(plan.ops[sends[0]].reads, Buffer::input);
  EXPECT_TRUE(plan.ops[sends[1]].peer_reduces);
  EXPECT_EQ(plan.ops[sends[1]].reads, Buffer::output);  // combined by now
  EXPECT_FALSE(plan.ops[sends[2]].peer_reduces);
  EXPECT_FALSE(plan.ops[sends[3]].peer_reduces);
}

TEST(Plan, KnowsWhetherAnythingIsPassedOn) {
  const auto is_one_hop = [](Collective collective, const char* name, Rank ranks) {
    const auto schedule = schedule::find_algorithm(collective, name)->make({ranks, 0, 1});
    return make_plan(schedule, 0, Layout::whole(30, schedule.blocks), 4, {},
                     channels_of(schedule, 0, {}))
        .one_hop;
  };
  EXPECT_TRUE(is_one_hop(Collective::sendrecv, "neighbour", 3));
  EXPECT_TRUE(is_one_hop(Collective::all_to_all, "pairwise", 3));
  EXPECT_TRUE(is_one_hop(Collective::all_gather, "ring", 2));
  EXPECT_FALSE(is_one_hop(Collective::all_gather, "ring", 3));
  EXPECT_FALSE(is_one_hop(Collective::broadcast, "chain", 3));
  EXPECT_FALSE(is_one_hop(Collective::reduce_scatter, "ring", 2));
}

TEST(Plan, MakesASendWaitForWhatItPassesOn) {
  const auto schedule = schedule::ring_all_reduce(3);
  const auto channels = channels_of(schedule, 0, Stripes{});
  const Plan plan = make_plan(schedule, 0, Layout::whole(30, 3), 4, {}, channels);
  const auto second_send = plan.ops[plan.sends[0][1]];
  ASSERT_EQ(plan.dependencies_of(second_send).size(), 1U);
  EXPECT_EQ(plan.dependencies_of(second_send)[0].op, plan.arrivals[1][0]);
  EXPECT_TRUE(plan.dependencies_of(plan.ops[plan.sends[0][0]]).empty());
}

TEST(Plan, LeavesOutOpsOfNoBytes) {
  const auto schedule = schedule::ring_all_reduce(4);
  const Stripes stripes{2, 1, 0};
  const auto channels = channels_of(schedule, 0, stripes);
  EXPECT_TRUE(make_plan(schedule, 0, Layout::whole(0, 4), 4, stripes, channels).ops.empty());
  std::size_t ops = 0;
  for (Rank rank = 0; rank < 4; ++rank) {
    const auto own = channels_of(schedule, rank, stripes);
    ops += make_plan(schedule, rank, Layout::whole(1, 4), 4, stripes, own).ops.size();
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
  const Plan plan =
      make_plan(schedule, 0, Layout::whole(8, 2), 4, {}, channels_of(schedule, 0, Stripes{}));
  ASSERT_EQ(plan.copies.size(), 1U);
  EXPECT_EQ(plan.ops[plan.copies[0]].blocks, (schedule::BlockRange{0, 1}));
  const PlannedOp& send = plan.ops[plan.sends[0][0]];
  EXPECT_EQ(send.reads, Buffer::output);
  EXPECT_EQ(plan.dependencies_of(send).size(), 2U);
}

TEST(Plan, KnowsWhichCombinationIsTheLast) {
  for (const auto& algorithm : schedule::algorithms()) {
    if (!schedule::reduces(algorithm.collective)) continue;
    for (const Rank ranks : {2, 3, 6, 8}) {
      const auto schedule = algorithm.make({ranks, 0, 2U - ranks % 2});
      std::size_t complete = 0;  // blocks, of all ranks
      for (Rank rank = 0; rank < ranks; ++rank) {
        const Layout layout = Layout::whole(schedule.blocks, schedule.blocks);
        const auto channels = channels_of(schedule, rank, Stripes{});
        for (const PlannedOp& op : make_plan(schedule, rank, layout, 4, {}, channels).ops) {
          if (op.completes) complete += op.blocks.count;
        }
      }
      if (schedule.collective == schedule::Collective::barrier) continue;
      // With doubling everybody who takes part works it out.
      const std::size_t times = schedule.name == "doubling" ? std::bit_floor(ranks) : 1;
      EXPECT_EQ(complete, times * schedule.blocks) << schedule.name << ", " << ranks << " ranks";
    }
  }
}

TEST(Plan, KeepsWhatIsApartInItsOwnBuffer) {
  const auto schedule = schedule::find_algorithm(Collective::all_to_all, "bruck")->make({5, 0, 1});
  const Layout layout = Layout::each(10, 5);
  EXPECT_EQ(scratch_bytes(schedule, layout, 4), schedule.scratch * 10U * 4);
  const Plan plan = make_plan(schedule, 2, layout, 4, {}, channels_of(schedule, 2, Stripes{}));
  for (const PlannedOp& op : plan.ops) {
    EXPECT_NE(op.writes, Buffer::input);
    if (op.action == Action::send) {
      EXPECT_EQ(op.reads, Buffer::scratch);
    }
  }
  const PlannedOp& first = plan.ops[plan.copies.front()];
  EXPECT_EQ(first.reads, Buffer::input);
  EXPECT_EQ(first.own, 30U);  // for rank 3
  EXPECT_EQ(plan.ops[plan.copies.back()].writes, Buffer::output);
}

TEST(Plan, RefusesAScheduleThatDoesNotFitTogether) {
  auto schedule = schedule::ring_all_reduce(3);
  schedule.rule = [](Rank, schedule::Step, schedule::Ops& ops) {
    ops.push_back({Action::send, 0, {0, 1}});
  };
  const std::vector<ChannelRequest> channels{{0, 0}};
  EXPECT_THROW((void)make_plan(schedule, 1, Layout::whole(30, 3), 4, {}, channels),
               std::logic_error);
}

}  // namespace
}  // namespace railgauge::executor
