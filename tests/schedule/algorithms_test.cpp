#include "schedule/algorithms.hpp"

#include <algorithm>
#include <set>

#include "algorithm_checks.hpp"

namespace railgauge::schedule {
namespace {

class EveryAlgorithm : public testing::TestWithParam<Algorithm> {
 protected:
  [[nodiscard]] static Schedule made(Rank ranks, Rank root = 0) {
    return GetParam().make({ranks, root, 1});
  }
};

TEST_P(EveryAlgorithm, IsProvedForUpTo64Ranks) {
  for (Rank ranks = 1; ranks <= 64; ++ranks) {
    const Schedule schedule = made(ranks);
    EXPECT_EQ(schedule.collective, GetParam().collective);
    EXPECT_EQ(schedule.ranks, ranks);
    expect_proved(schedule);
  }
}

TEST_P(EveryAlgorithm, IsProvedForManyRanks) {
  for (const Rank ranks : kManyRanks) expect_proved(made(ranks));
}

TEST_P(EveryAlgorithm, IsProvedForEveryRoot) {
  const bool has_one = rooted(GetParam().collective);
  for (const Rank ranks : {2, 3, 5, 6, 7, 8, 12, 13, 65}) {
    for (Rank root = 0; root < (has_one ? ranks : 1); ++root) expect_proved(made(ranks, root));
  }
}

TEST_P(EveryAlgorithm, NeedsARankAndARoot) {
  EXPECT_THROW((void)GetParam().make({0, 0, 1}), std::invalid_argument);
  if (!rooted(GetParam().collective)) return;
  EXPECT_THROW((void)GetParam().make({3, 3, 1}), std::invalid_argument);
}

std::string test_name(const testing::TestParamInfo<Algorithm>& info) {
  std::string text = std::string(name(info.param.collective)) + "_" + std::string(info.param.name);
  std::ranges::replace(text, '-', '_');
  return text;
}

INSTANTIATE_TEST_SUITE_P(All, EveryAlgorithm,
                         testing::ValuesIn(algorithms().begin(), algorithms().end()), test_name);

TEST(Algorithms, AreFoundByName) {
  std::set<std::pair<Collective, std::string_view>> seen;
  for (const Algorithm& algorithm : algorithms()) {
    EXPECT_EQ(find_algorithm(algorithm.collective, algorithm.name), &algorithm);
    EXPECT_TRUE(seen.emplace(algorithm.collective, algorithm.name).second) << algorithm.name;
  }
  EXPECT_EQ(find_algorithm(Collective::all_gather, "folded"), nullptr);
  EXPECT_EQ(find_algorithm(Collective::all_reduce, "Ring"), nullptr);
}

TEST(Algorithms, AreListedForACollective) {
  EXPECT_EQ(algorithm_names(Collective::all_to_all),
            "pairwise, ring, bruck, hypercube, hierarchical");
  EXPECT_EQ(algorithm_names(Collective::barrier), "dissemination");
}

TEST(Algorithms, SayWhatHalvingAndDoublingIsWithoutAPowerOfTwo) {
  const Algorithm* found = find_algorithm(Collective::all_reduce, "halving-doubling");
  EXPECT_EQ(found->make({8, 0, 1}).name, "halving-doubling");
  EXPECT_EQ(found->make({6, 0, 1}).name, "circulant");
}

}  // namespace
}  // namespace railgauge::schedule
