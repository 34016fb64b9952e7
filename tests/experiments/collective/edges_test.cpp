#include "experiments/collective/edges.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

using executor::EdgeSample;
using results::EdgeTimes;

EdgeSample sample_of_4k(int posted_us, int arrived_us, int completed_us) {
  const auto at = [](int us) { return EdgeSample::Time(std::chrono::microseconds(us)); };
  return {at(posted_us), at(arrived_us), at(completed_us), 4096};
}

TEST(Edge, HasTheTimesOfItsSamples) {
  EdgeTimes edge;
  ASSERT_TRUE(fill(edge, std::vector{sample_of_4k(100, 110, 115), sample_of_4k(200, 240, 260)}));
  EXPECT_EQ(edge.samples, 2U);
  EXPECT_EQ(edge.bytes, 4096U);
  EXPECT_EQ(edge.round.min_us, 15);
  EXPECT_EQ(edge.round.max_us, 60);
  EXPECT_EQ(edge.there->max_us, 40);
  EXPECT_EQ(edge.back->min_us, 5);
}

TEST(Edge, WithoutCompletionHasNone) {
  EdgeTimes edge;
  EXPECT_FALSE(fill(edge, std::vector{sample_of_4k(100, 110, 0)}));
  ASSERT_TRUE(fill(edge, std::vector{sample_of_4k(100, 0, 120)}));
  EXPECT_FALSE(edge.there) << "nobody said when it arrived";
}

TEST(Edge, ThatIsPolledLateTakesNoNegativeTimeBack) {
  EdgeTimes edge;
  ASSERT_TRUE(fill(edge, std::vector{sample_of_4k(100, 9000, 120)}));
  EXPECT_EQ(edge.there->max_us, 8900);
  EXPECT_EQ(edge.back->max_us, 0);
}

TEST(Edges, AreTheSlowestIfThereAreTooMany) {
  std::vector<EdgeTimes> edges(3);
  edges[1].round.p50_us = 7;
  edges[2].round.p50_us = 5;
  keep_slowest(edges, 2, std::identity{});
  EXPECT_EQ(edges.size(), 3U);
  keep_slowest(edges, kMostEdges, std::identity{});
  ASSERT_EQ(edges.size(), 2U);
  EXPECT_EQ(edges[0].round.p50_us, 7);
  EXPECT_EQ(edges[1].round.p50_us, 5);
}

}  // namespace
}  // namespace railgauge::runner
