#include "schedule/algorithms.hpp"

#include <bit>

#include "algorithm_checks.hpp"

namespace railgauge::schedule {
namespace {

TEST(Pairwise, CostsWhatItsClosedFormSays) {
  for (Rank ranks = 1; ranks <= 130; ++ranks) {
    expect_cost(pairwise_all_to_all(ranks));
    expect_least_bytes(pairwise_all_to_all(ranks));
  }
}

TEST(Pairwise, IsAPermutationInEveryRound) {
  const Schedule schedule = pairwise_all_to_all(5);
  EXPECT_EQ(schedule.ops(3, 2), (Ops{{Action::send, 1, {6, 1}}, {Action::receive, 0, {0, 1}}}));
}

TEST(Bruck, CostsWhatItsClosedFormSays) {
  for (Rank ranks = 1; ranks <= 130; ++ranks) expect_cost(bruck_all_to_all(ranks));
}

TEST(Bruck, SendsOneMessageARound) {
  const Schedule schedule = bruck_all_to_all(1000);
  EXPECT_EQ(schedule.cost.rounds, 10U);
  EXPECT_EQ(schedule.cost.messages, 10U);
  // 500 distances are odd, 500 have the second bit, ..., 1000 - 512 the tenth.
  EXPECT_EQ(schedule.cost.blocks_sent,
            500U + 500U + 500U + 496U + 496U + 488U + 488U + 488U + 488U + 488U);
}

TEST(Hypercube, CostsWhatItsClosedFormSays) {
  for (Rank ranks = 1; ranks <= 66; ++ranks) expect_cost(hypercube_all_to_all(ranks));
}

TEST(Hypercube, HasADimensionForEveryPrimeFactor) {
  EXPECT_EQ(hypercube_all_to_all(1024).cost, (Cost{10, 10, 5120, 5120, 0, 10}));
  EXPECT_EQ(hypercube_all_to_all(12).cost, (Cost{4, 4, 6 + 6 + 8, 6 + 6 + 8, 0, 3}));
  EXPECT_EQ(hypercube_all_to_all(13).cost, (Cost{12, 12, 12, 12, 0, 1}));
}

TEST(Hypercube, TalksToRanksThatDifferInOneDigit) {
  const Schedule schedule = hypercube_all_to_all(8);
  for (Step step = 0; step < schedule.steps; ++step) {
    for (const Op& op : schedule.ops(5, step)) {
      if (op.action != Action::copy) {
        EXPECT_EQ(std::popcount(op.peer ^ 5U), 1);
      }
    }
  }
}

}  // namespace

}  // namespace railgauge::schedule
