#include "schedule/recursive_doubling.hpp"

#include "algorithm_checks.hpp"

namespace railgauge::schedule {
namespace {

TEST(RecursiveDoubling, CostsWhatItsHeaderSays) {
  for (Rank ranks = 1; ranks <= 130; ++ranks) expect_cost(recursive_doubling_all_reduce(ranks));
}

TEST(RecursiveDoubling, ExchangesAllInEveryRound) {
  const Schedule schedule = recursive_doubling_all_reduce(8);
  EXPECT_EQ(schedule.ops(5, 0), (Ops{{Action::send, 4, {0, 1}}, {Action::reduce, 4, {1, 1}, 0}}));
  EXPECT_EQ(schedule.ops(5, 2), (Ops{{Action::send, 1, {2, 1}}, {Action::reduce, 1, {3, 1}, 2}}));
  EXPECT_EQ(schedule.ops(5, 3), (Ops{{Action::copy, 5, {0, 1}, 3}}));
}

TEST(RecursiveDoubling, TakesPartForThePartner) {
  const Schedule schedule = recursive_doubling_all_reduce(5);
  EXPECT_EQ(schedule.ops(0, 0), (Ops{{Action::send, 1, {0, 1}}}));
  EXPECT_EQ(schedule.ops(1, 0), (Ops{{Action::reduce, 0, {3, 1}, 0}}));
  EXPECT_EQ(schedule.ops(0, 3), (Ops{{Action::receive, 1, {0, 1}}}));
}

}  // namespace
}  // namespace railgauge::schedule
