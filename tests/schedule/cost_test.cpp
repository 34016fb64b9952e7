#include "schedule/cost.hpp"

#include <gtest/gtest.h>

#include "schedule/algorithms.hpp"

namespace railgauge::schedule {
namespace {

TEST(Bounds, AreBelowEveryAlgorithm) {
  for (const Algorithm& algorithm : algorithms()) {
    for (Rank ranks = 1; ranks <= 64; ++ranks) {
      const Schedule schedule = algorithm.make({ranks, ranks / 2, 1});
      const Bounds least = lower_bounds(algorithm.collective, ranks);
      // Rounds are those of a rank that does one thing at a time; "direct" does all at once.
      if (algorithm.name != "direct") {
        EXPECT_GE(schedule.cost.rounds, least.rounds) << schedule.name << " " << ranks;
      }
      EXPECT_GE(data_moved(schedule) + 1e-9, least.data) << schedule.name << " " << ranks;
    }
  }
}

TEST(Bounds, AreMetByTheBestAlgorithms) {
  const auto made = [](Collective collective, const char* name) {
    return find_algorithm(collective, name)->make({13, 0, 1});
  };
  EXPECT_EQ(made(Collective::all_gather, "bruck").cost.rounds, 4U);
  EXPECT_EQ(lower_bounds(Collective::all_gather, 13).rounds, 4U);
  EXPECT_DOUBLE_EQ(data_moved(made(Collective::all_gather, "bruck")), 12.0 / 13);
  EXPECT_DOUBLE_EQ(lower_bounds(Collective::all_gather, 13).data, 12.0 / 13);
  EXPECT_DOUBLE_EQ(data_moved(made(Collective::all_reduce, "ring")), 24.0 / 13);
}

}  // namespace
}  // namespace railgauge::schedule
