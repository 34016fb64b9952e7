#include "schedule/bruck.hpp"

#include "algorithm_checks.hpp"

namespace railgauge::schedule {
namespace {

TEST(Bruck, CostsWhatItsHeaderSays) {
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

}  // namespace
}  // namespace railgauge::schedule
