#include "schedule/algorithms.hpp"

#include "algorithm_checks.hpp"

namespace railgauge::schedule {
namespace {

class Ring : public testing::TestWithParam<Maker> {};

TEST_P(Ring, CostsWhatItsClosedFormSays) {
  for (const Rank ranks : {1, 2, 3, 5, 6, 7, 8, 12, 13, 64, 100}) {
    expect_cost(GetParam()(ranks));
    expect_least_bytes(GetParam()(ranks));
  }
}

TEST_P(Ring, NeedsARank) {
  EXPECT_THROW((void)GetParam()(0), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(All, Ring,
                         testing::Values(ring_reduce_scatter, ring_all_gather, ring_all_reduce),
                         [](const auto& made) {
                           return std::string(name(made.param(1).collective));
                         });

TEST(RingAtScale, AnOpCostsNothingToFind) {
  const Schedule schedule = ring_all_reduce(262'144);
  const Ops ops = schedule.ops(262'143, 0);
  ASSERT_EQ(ops.size(), 2U);
  EXPECT_EQ(ops[0], (Op{Action::send, 0, {262'142, 1}}));
  EXPECT_EQ(ops[1], (Op{Action::reduce, 262'142, {262'141, 1}}));
}

TEST(Neighbour, CostsWhatItsClosedFormSays) {
  for (Rank ranks = 1; ranks <= 66; ++ranks) {
    expect_cost(neighbour_all_to_all(ranks));
    expect_cost(neighbour_shift(ranks));
  }
}

TEST(Neighbour, TalksToNeighboursAlone) {
  const Schedule schedule = neighbour_all_to_all(7);
  for (Rank rank = 0; rank < 7; ++rank) {
    for (Step step = 0; step < schedule.steps; ++step) {
      for (const Op& op : schedule.ops(rank, step)) {
        if (op.action == Action::send) {
          EXPECT_EQ(op.peer, (rank + 1) % 7);
        }
        if (arrives(op.action)) {
          EXPECT_EQ(op.peer, (rank + 6) % 7);
        }
      }
    }
  }
}

TEST(Chain, CostsWhatItsClosedFormSays) {
  for (Rank ranks = 1; ranks <= 34; ++ranks) {
    expect_cost(chain_broadcast(ranks, ranks / 2));
    expect_cost(chain_reduce(ranks, ranks / 3));
  }
}

TEST(Chain, EndsAtTheRankBeforeTheRoot) {
  const Schedule schedule = chain_broadcast(4, 2);
  EXPECT_EQ(schedule.ops(2, 0), (Ops{{Action::send, 3, {0, 1}}}));
  EXPECT_EQ(schedule.ops(0, 2), (Ops{{Action::send, 1, {0, 1}}}));
  EXPECT_EQ(schedule.ops(1, 2), (Ops{{Action::receive, 0, {0, 1}}}));
  EXPECT_EQ(schedule.ops(1, 3), Ops{});
}

}  // namespace

}  // namespace railgauge::schedule
