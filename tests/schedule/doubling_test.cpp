#include "schedule/algorithms.hpp"

#include "algorithm_checks.hpp"

namespace railgauge::schedule {
namespace {

class HalvingDoubling : public testing::TestWithParam<Maker> {};

TEST_P(HalvingDoubling, IsProvedForEveryPowerOfTwo) {
  for (Rank ranks = 1; ranks <= 1024; ranks *= 2) expect_proved(GetParam()(ranks));
}

TEST_P(HalvingDoubling, CostsWhatItsClosedFormSays) {
  for (Rank ranks = 1; ranks <= 256; ranks *= 2) {
    expect_cost(GetParam()(ranks));
    expect_least_bytes(GetParam()(ranks));
  }
}

TEST_P(HalvingDoubling, RefusesOtherNumbers) {
  for (const Rank ranks : {0, 3, 5, 6, 7, 12, 13}) {
    EXPECT_THROW((void)GetParam()(ranks), std::invalid_argument) << ranks << " ranks";
  }
}

INSTANTIATE_TEST_SUITE_P(All, HalvingDoubling,
                         testing::Values(halving_reduce_scatter, doubling_all_gather,
                                         halving_doubling_all_reduce),
                         [](const auto& made) {
                           return std::string(name(made.param(1).collective));
                         });

TEST(HalvingDoublingAllReduce, GivesTheNearestTheMost) {
  const Schedule schedule = halving_doubling_all_reduce(8);
  EXPECT_EQ(schedule.ops(0, 0), (Ops{{Action::send, 1, {4, 4}}, {Action::reduce, 1, {0, 4}}}));
  EXPECT_EQ(schedule.ops(0, 2), (Ops{{Action::send, 4, {1, 1}}, {Action::reduce, 4, {0, 1}}}));
  EXPECT_EQ(schedule.ops(0, 5), (Ops{{Action::send, 1, {0, 4}}, {Action::receive, 1, {4, 4}}}));
}

TEST(FoldedAllReduce, CostsWhatItsClosedFormSays) {
  for (Rank ranks = 1; ranks <= 130; ++ranks) expect_cost(folded_all_reduce(ranks));
  // 6 ranks: 3.5 times the data for the busiest, where the circulant form sends 1.67 times.
  const Schedule six = folded_all_reduce(6);
  EXPECT_DOUBLE_EQ(static_cast<double>(six.cost.blocks_sent) / six.blocks, 2.5);
  EXPECT_EQ(six.cost.rounds, 6U);
}

TEST(RecursiveDoubling, CostsWhatItsClosedFormSays) {
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
