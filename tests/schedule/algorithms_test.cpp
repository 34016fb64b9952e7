#include "schedule/algorithms.hpp"

#include "algorithm_checks.hpp"

namespace railgauge::schedule {
namespace {

TEST(Algorithms, ServeTheirCollectiveWithAnyNumberOfRanks) {
  for (const Algorithm& algorithm : algorithms()) {
    for (const Rank ranks : {1, 2, 3, 5, 6, 7, 8, 12, 13}) {
      const Schedule schedule = algorithm.make(ranks);
      EXPECT_EQ(schedule.collective, algorithm.collective);
      EXPECT_EQ(schedule.ranks, ranks);
      expect_proved(schedule);
    }
  }
}

TEST(Algorithms, AreFoundByName) {
  for (const Algorithm& algorithm : algorithms()) {
    EXPECT_EQ(find_algorithm(algorithm.collective, algorithm.name), &algorithm);
  }
  EXPECT_EQ(find_algorithm(Collective::all_gather, "folded"), nullptr);
  EXPECT_EQ(find_algorithm(Collective::all_reduce, "Ring"), nullptr);
}

TEST(Algorithms, SayWhatHalvingAndDoublingIsWithoutAPowerOfTwo) {
  const Algorithm* found = find_algorithm(Collective::all_reduce, "halving-doubling");
  EXPECT_EQ(found->make(8).name, "halving-doubling");
  EXPECT_EQ(found->make(6).name, "circulant");
}

}  // namespace
}  // namespace railgauge::schedule
