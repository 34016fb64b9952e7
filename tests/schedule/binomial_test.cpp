#include "schedule/binomial.hpp"

#include "algorithm_checks.hpp"

namespace railgauge::schedule {
namespace {

TEST(Binomial, CostsWhatItsHeaderSaysForEveryRoot) {
  for (Rank ranks = 1; ranks <= 34; ++ranks) {
    for (Rank root = 0; root < ranks; ++root) {
      expect_cost(binomial_broadcast(ranks, root));
      expect_cost(binomial_reduce(ranks, root));
      expect_cost(binomial_scatter(ranks, root));
      expect_cost(binomial_gather(ranks, root));
    }
  }
  for (const Rank ranks : {100, 128, 130}) expect_cost(binomial_gather(ranks, 77));
}

TEST(Binomial, AllGatherCostsWhatItsHeaderSays) {
  for (Rank ranks = 1; ranks <= 130; ++ranks) expect_cost(binomial_all_gather(ranks));
}

TEST(Binomial, DoublesWhoHasTheDataInEveryRound) {
  const Schedule schedule = binomial_broadcast(8, 3);
  EXPECT_EQ(schedule.ops(3, 0), (Ops{{Action::send, 7, {0, 1}}}));
  EXPECT_EQ(schedule.ops(7, 1), (Ops{{Action::send, 1, {0, 1}}}));
  EXPECT_EQ(schedule.ops(1, 2), (Ops{{Action::send, 2, {0, 1}}}));
  EXPECT_EQ(schedule.ops(2, 2), (Ops{{Action::receive, 1, {0, 1}}}));
}

TEST(Binomial, SubtreesThatPassTheEndAreTwoMessages) {
  // Root 3 of 5: the child at place 2 is rank 0, at place 4 rank 2; of root 2, place 2 is rank 4.
  EXPECT_EQ(binomial_scatter(5, 2).ops(2, 1),
            (Ops{{Action::send, 4, {4, 1}}, {Action::send, 4, {0, 1}}}));
}

}  // namespace
}  // namespace railgauge::schedule
