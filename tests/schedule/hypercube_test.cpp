#include "schedule/hypercube.hpp"

#include <bit>

#include "algorithm_checks.hpp"

namespace railgauge::schedule {
namespace {

TEST(Hypercube, CostsWhatItsHeaderSays) {
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
