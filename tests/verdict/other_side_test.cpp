#include "verdict/other_side.hpp"

#include <gtest/gtest.h>

namespace railgauge::verdict {
namespace {

Curve curve_of(const std::vector<std::uint64_t>& sizes) {
  Curve curve;
  for (const std::uint64_t size : sizes) {
    curve.points.push_back({.size_bytes = size,
                            .time_us = static_cast<double>(size),
                            .median_interval = Interval{1, 2}});
  }
  return curve;
}

TEST(BaselinePoint, IsThereOrInterpolatedIfAsked) {
  const Curve theirs = curve_of({1024, 4096});
  EXPECT_EQ(counterpoint(theirs, 1024, false)->point.time_us, 1024.0);
  EXPECT_FALSE(counterpoint(theirs, 1024, true)->is_interpolated);
  EXPECT_FALSE(counterpoint(theirs, 2048, false));
  const auto between = counterpoint(theirs, 2048, true);
  ASSERT_TRUE(between);
  EXPECT_TRUE(between->is_interpolated);
  EXPECT_NEAR(*between->point.time_us, 2048, 1e-6);
  EXPECT_FALSE(between->point.median_interval);
  EXPECT_FALSE(counterpoint(theirs, 8192, true));
}

TEST(MissingSizes, AreNamed) {
  const auto finding = missing_sizes({}, curve_of({8}), curve_of({8, 1024, 2048}), "baseline");
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->verdict, Verdict::note);
  EXPECT_EQ(finding->subject, Subject::missing);
  EXPECT_EQ(finding->remark, "sizes of the baseline were not measured: 1K, 2K");
  EXPECT_FALSE(missing_sizes({}, curve_of({8, 16}), curve_of({8}), "baseline"));
}

}  // namespace
}  // namespace railgauge::verdict
