#include "schedule/algorithms.hpp"

#include "algorithm_checks.hpp"
namespace railgauge::schedule {
namespace {

class Circulant : public testing::TestWithParam<Maker> {};

TEST_P(Circulant, CostsWhatItsClosedFormSays) {
  for (Rank ranks = 1; ranks <= 130; ++ranks) {
    expect_cost(GetParam()(ranks));
    expect_least_bytes(GetParam()(ranks));
  }
}

TEST_P(Circulant, TakesNoMoreRoundsThanTheLowerBound) {
  const bool twice = GetParam()(2).collective == Collective::all_reduce;
  for (const auto& [ranks, rounds] : {std::pair{1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {13, 4}}) {
    const Cost cost = GetParam()(static_cast<Rank>(ranks)).cost;
    EXPECT_EQ(cost.rounds, static_cast<std::uint64_t>(twice ? 2 * rounds : rounds)) << ranks;
  }
}

TEST_P(Circulant, NeedsARank) {
  EXPECT_THROW((void)GetParam()(0), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(All, Circulant,
                         testing::Values(circulant_reduce_scatter, circulant_all_gather,
                                         circulant_all_reduce),
                         [](const auto& made) {
                           return std::string(name(made.param(1).collective));
                         });

TEST(Circulant, RangesThatPassTheEndAreTwo) {
  // Rank 4 of 5 holds blocks 4 and 0 after the first round.
  EXPECT_EQ(
      circulant_all_gather(5).ops(4, 1),
      (Ops{{Action::send, 2, {4, 1}}, {Action::send, 2, {0, 1}}, {Action::receive, 1, {1, 2}}}));
}

TEST(Dissemination, CostsWhatItsClosedFormSays) {
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
