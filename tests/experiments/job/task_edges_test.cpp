#include "experiments/job/task_edges.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

using executor::EdgeSample;

EdgeSample sample(int posted_us, int arrived_us, int completed_us) {
  const auto at = [](int us) { return EdgeSample::Time(std::chrono::microseconds(us)); };
  return {at(posted_us), at(arrived_us), at(completed_us), 4096};
}

TEST(TaskEdge, HasTheTimesOfItsSamples) {
  results::EdgeTimes edge;
  ASSERT_TRUE(fill(edge, std::vector{sample(100, 110, 115), sample(200, 240, 260)}));
  EXPECT_EQ(edge.samples, 2U);
  EXPECT_EQ(edge.bytes, 4096U);
  EXPECT_EQ(edge.round.min_us, 15);
  EXPECT_EQ(edge.round.max_us, 60);
  EXPECT_EQ(edge.there->max_us, 40);
  EXPECT_EQ(edge.back->min_us, 5);
}

TEST(TaskEdge, WithoutCompletionHasNone) {
  results::EdgeTimes edge;
  EXPECT_FALSE(fill(edge, std::vector{sample(100, 110, 0)}));
  ASSERT_TRUE(fill(edge, std::vector{sample(100, 0, 120)}));
  EXPECT_FALSE(edge.there) << "nobody said when it arrived";
}

TEST(TaskEdge, HasArrivedWhenItIsAcknowledged) {
  results::EdgeTimes edge;
  ASSERT_TRUE(fill(edge, std::vector{sample(100, 9000, 120)}));
  EXPECT_EQ(edge.there->max_us, 20) << "the peer computed until 9000";
  EXPECT_EQ(edge.back->max_us, 0);
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
