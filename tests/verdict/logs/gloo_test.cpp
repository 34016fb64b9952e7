#include "verdict/logs/gloo.hpp"

#include <gtest/gtest.h>

#include <string>

namespace railgauge::verdict {
namespace {

const std::string kTable =
    "Device:      ibverbs, device=mlx5_0\n"
    "Algorithm:   allreduce_ring_chunked\n"
    "Options:     processes=4, inputs=1, threads=1\n"
    "\n"
    "   elements   min (us)   p50 (us)   p99 (us)   max (us)   avg (GB/s)    samples\n"
    "     250000         90        100        150        200        9.313       1000\n"
    "     500000        190\n";

TEST(Gloo, IsRead) {
  ASSERT_TRUE(is_gloo(kTable));
  const LogContent content = read_gloo(kTable, {.type = "float"});
  ASSERT_EQ(content.runs.size(), 1u);
  EXPECT_EQ(content.runs[0].collective, "all_reduce");
  EXPECT_EQ(content.runs[0].ranks, 4);
  ASSERT_EQ(content.runs[0].points.size(), 1u);
  const Point& point = content.runs[0].points[0];
  EXPECT_EQ(point.size_bytes, 1000000u);
  EXPECT_EQ(point.algorithm, "ring_chunked");
  EXPECT_DOUBLE_EQ(point.algbw_gigabytes_per_second.value_or(0), 10);
  EXPECT_DOUBLE_EQ(point.busbw_gigabytes_per_second.value_or(0), 15);
  ASSERT_EQ(content.complaints.size(), 1u);
  EXPECT_EQ(content.complaints[0].line, 7u);
}

TEST(Gloo, DoesNotGuessTheType) {
  EXPECT_THROW(read_gloo(kTable, {}), std::invalid_argument);
}

TEST(Gloo, PrintsBytesInLaterVersions) {
  const LogContent content = read_gloo(
      "Algorithm:   new_allreduce_bcube\nOptions:     processes=2, inputs=1\n"
      "   size (B)   elements   min (ns)   p50 (ns)   p99 (ns)   max (ns)   avg (GB/s)    samples\n"
      "       4000       1000      90000     100000     150000     200000        0.037       "
      "1000\n",
      {});
  ASSERT_EQ(content.runs.size(), 1u);
  EXPECT_EQ(content.runs[0].points[0].size_bytes, 4000u);
  EXPECT_EQ(content.runs[0].points[0].time_us, 100.0);
  EXPECT_EQ(content.runs[0].points[0].algorithm, "bcube");
}

}  // namespace
}  // namespace railgauge::verdict
