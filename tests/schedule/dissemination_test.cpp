#include "schedule/dissemination.hpp"

#include "algorithm_checks.hpp"

namespace railgauge::schedule {
namespace {

TEST(Dissemination, CostsWhatItsHeaderSays) {
  for (Rank ranks = 1; ranks <= 130; ++ranks) expect_cost(dissemination_barrier(ranks));
}

TEST(Dissemination, MissesSomebodyWithARoundLess) {
  Schedule schedule = dissemination_barrier(5);
  schedule.rule = [rule = schedule.rule](Rank rank, Step step, Ops& ops) {
    rule(rank, step, ops);
    // What the third round should have brought is not there.
    if (step == 2) ops = {{Action::copy, rank, {3, 1}, 2}};
  };
  EXPECT_EQ(disproof(schedule), "rank 0 ends with block 0 made of other inputs than it has to be");
}

}  // namespace
}  // namespace railgauge::schedule
