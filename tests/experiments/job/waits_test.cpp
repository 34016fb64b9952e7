#include "experiments/job/waits.hpp"

#include <gtest/gtest.h>

#include "workload/kinds.hpp"

namespace railgauge::runner {
namespace {

/// Two groups of two ranks, each with the tasks dispatch and combine.
class Waits : public ::testing::Test {
 protected:
  const workload::Workload workload = workload::make("moe", "");
  const workload::Job job = workload::job_of(workload, 4, {{"ep", 2}, {"moe_layers", 1}});
  const std::vector<std::vector<std::uint32_t>> tasks = tasks_of_ranks(job);

  [[nodiscard]] std::optional<Wait> longest(
      const std::vector<std::vector<double>>& times_us) const {
    return longest_wait(job, tasks, times_us);
  }
};

TEST_F(Waits, AreForTheRankThatTakesLeast) {
  const auto wait = longest({{10, 10}, {11, 10}, {10, 90}, {12, 20}});
  ASSERT_TRUE(wait);
  EXPECT_EQ(wait->rank, 3U);
  EXPECT_EQ(job.operations[wait->operation].name, "combine");
  EXPECT_EQ(wait->us, 70);
}

TEST_F(Waits, AreOfOneGroupOnly) {
  const auto wait = longest({{10, 10}, {11, 10}, {500, 10}, {500, 10}});
  ASSERT_TRUE(wait);
  EXPECT_EQ(wait->us, 1) << "the other group took longer, and waited for nobody";
  EXPECT_FALSE(longest({{10, 10}, {10, 10}, {500, 10}, {500, 10}}));
}

TEST_F(Waits, HaveTheShortestTimeOfEachTask) {
  EXPECT_EQ(shortest_of_tasks(job, tasks,
                              std::vector<std::vector<double>>{{10, 20}, {11, 5}, {7, 7}, {6, 8}}),
            (std::vector<double>{10, 5, 6, 7}));
}

}  // namespace
}  // namespace railgauge::runner
