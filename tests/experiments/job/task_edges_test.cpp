#include "experiments/job/task_edges.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

using executor::EdgeSample;

EdgeSample sample(int posted_us, int arrived_us, int completed_us) {
  const auto at = [](int us) { return EdgeSample::Time(std::chrono::microseconds(us)); };
  return {at(posted_us), at(arrived_us), at(completed_us), 4096};
}

TEST(TaskEdge, HasArrivedWhenItIsAcknowledged) {
  const auto samples =
      arrived_when_acknowledged({sample(100, 110, 115), sample(100, 9000, 120), sample(100, 0, 0)});
  EXPECT_EQ(samples[0].arrived, sample(0, 110, 0).arrived);
  EXPECT_EQ(samples[1].arrived, samples[1].completed) << "the peer computed until 9000";
  EXPECT_EQ(samples[2].arrived, EdgeSample::Time()) << "nobody knows";
}

TEST(TaskRows, AreOfOneOperationAndSize) {
  std::vector<TaskEdge> edges;
  for (const std::uint32_t operation : {0U, 1U}) {
    for (const std::uint64_t bytes : {4096U, 5000U, 65536U})
      edges.push_back({operation, {.bytes = bytes, .most_bytes = bytes}});
  }
  const auto rows = rows_of(edges, {"pairwise", "ring"});
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].algorithm, "pairwise");
  EXPECT_EQ(rows[0].edges.size(), 2U);
  EXPECT_EQ(rows[0].size_bytes, 5000U);
  EXPECT_EQ(rows[1].edges.size(), 1U);
  EXPECT_EQ(rows[2].algorithm, "ring");
}

}  // namespace
}  // namespace railgauge::runner
