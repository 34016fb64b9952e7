#include "schedule/cost.hpp"

#include <gtest/gtest.h>

#include "schedule/algorithms.hpp"
#include "schedule/counted_cost.hpp"

namespace railgauge::schedule {
namespace {

/// Block 0 goes from rank 0 to rank 1 to rank 2, and block 1 from rank 2 to rank 0 meanwhile.
Schedule by_hand() {
  Schedule schedule{"by hand", Collective::all_gather, 3, 2, 2, {}, {}};
  schedule.rule = [](Rank rank, Step step, Ops& ops) {
    if (rank == step) ops.push_back({Action::send, rank + 1, {0, 1}});
    if (rank == step + 1) ops.push_back({Action::receive, step, {0, 1}});
    if (step == 0 && rank == 2) ops.push_back({Action::send, 0, {1, 1}});
    if (step == 0 && rank == 0) ops.push_back({Action::reduce, 2, {1, 1}});
  };
  return schedule;
}

TEST(Cost, IsThatOfTheBusiestRank) {
  EXPECT_EQ(counted(by_hand()), (Cost{.rounds = 2,
                                      .messages = 1,
                                      .blocks_sent = 1,
                                      .blocks_received = 1,
                                      .blocks_reduced = 1,
                                      .depth = 2}));
}

TEST(Cost, OfARankIsWithoutTheDepth) {
  EXPECT_EQ(counted(by_hand(), 0), (Cost{.rounds = 1,
                                         .messages = 1,
                                         .blocks_sent = 1,
                                         .blocks_received = 1,
                                         .blocks_reduced = 1}));
  EXPECT_EQ(counted(by_hand(), 1),
            (Cost{.rounds = 1, .messages = 1, .blocks_sent = 1, .blocks_received = 1}));
}

TEST(Cost, HasTheDepthOfTheLongestChainAndNotOfItsSteps) {
  Schedule schedule = by_hand();
  schedule.steps = 1;
  EXPECT_EQ(counted(schedule).depth, 1U);
  schedule.steps = 2;
  schedule.rule = [](Rank rank, Step step, Ops& ops) {  // two messages, neither waits
    if (rank == step) ops.push_back({Action::send, 2, {step, 1}});
    if (rank == 2) ops.push_back({Action::receive, step, {step, 1}});
  };
  EXPECT_EQ(counted(schedule).depth, 1U);
  EXPECT_EQ(counted(schedule).rounds, 2U);
}

TEST(Bounds, AreBelowEveryAlgorithm) {
  for (const Algorithm& algorithm : algorithms()) {
    for (Rank ranks = 1; ranks <= 64; ++ranks) {
      const Schedule schedule = algorithm.make({ranks, ranks / 2, 1});
      const Bounds least = lower_bounds(algorithm.collective, ranks);
      // Rounds are those of a rank that does one thing at a time; "direct" does all at once.
      if (algorithm.name != "direct") {
        EXPECT_GE(schedule.cost.rounds, least.rounds) << schedule.name << " " << ranks;
      }
      EXPECT_GE(data_moved(schedule) + 1e-9, least.data) << schedule.name << " " << ranks;
    }
  }
}

TEST(Bounds, AreMetByTheBestAlgorithms) {
  const auto made = [](Collective collective, const char* name) {
    return find_algorithm(collective, name)->make({13, 0, 1});
  };
  EXPECT_EQ(made(Collective::all_gather, "bruck").cost.rounds, 4U);
  EXPECT_EQ(lower_bounds(Collective::all_gather, 13).rounds, 4U);
  EXPECT_DOUBLE_EQ(data_moved(made(Collective::all_gather, "bruck")), 12.0 / 13);
  EXPECT_DOUBLE_EQ(lower_bounds(Collective::all_gather, 13).data, 12.0 / 13);
  EXPECT_DOUBLE_EQ(data_moved(made(Collective::all_reduce, "ring")), 24.0 / 13);
}

}  // namespace
}  // namespace railgauge::schedule
