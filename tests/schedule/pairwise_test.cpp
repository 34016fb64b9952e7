#include "schedule/pairwise.hpp"

#include "algorithm_checks.hpp"

namespace railgauge::schedule {
namespace {

TEST(Pairwise, CostsWhatItsHeaderSays) {
  for (Rank ranks = 1; ranks <= 130; ++ranks) {
    expect_cost(pairwise_all_to_all(ranks));
    expect_least_bytes(pairwise_all_to_all(ranks));
  }
}

TEST(Pairwise, IsAPermutationInEveryRound) {
  const Schedule schedule = pairwise_all_to_all(5);
  EXPECT_EQ(schedule.ops(3, 2), (Ops{{Action::send, 1, {6, 1}}, {Action::receive, 0, {0, 1}}}));
}

}  // namespace
}  // namespace railgauge::schedule
