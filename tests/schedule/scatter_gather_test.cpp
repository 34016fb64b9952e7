#include "schedule/scatter_gather.hpp"

#include "algorithm_checks.hpp"

namespace railgauge::schedule {
namespace {

TEST(ScatterGather, CostsNoMoreThanItsParts) {
  for (Rank ranks = 1; ranks <= 34; ++ranks) {
    for (Rank root = 0; root < ranks; root += 3) {
      expect_cost_at_most(scatter_all_gather_broadcast(ranks, root));
      expect_cost_at_most(reduce_scatter_gather_reduce(ranks, root));
    }
  }
}

TEST(ScatterGather, SendsAtMostTwiceTheData) {
  const Schedule schedule = scatter_all_gather_broadcast(64, 5);
  EXPECT_EQ(counted(schedule).blocks_sent, 2U * 63);
  EXPECT_EQ(counted(schedule).rounds, 12U);
}

}  // namespace
}  // namespace railgauge::schedule
