#include "schedule/ring.hpp"

#include "algorithm_checks.hpp"

namespace railgauge::schedule {
namespace {

class Ring : public testing::TestWithParam<Maker> {};

TEST_P(Ring, CostsWhatItsHeaderSays) {
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

}  // namespace
}  // namespace railgauge::schedule
