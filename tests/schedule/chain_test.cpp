#include "schedule/chain.hpp"

#include "algorithm_checks.hpp"

namespace railgauge::schedule {
namespace {

TEST(Chain, CostsWhatItsHeaderSays) {
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
