#include "verdict/curve.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sample_runs.hpp"

namespace railgauge::verdict {
namespace {

Curve straight_curve() {
  return curves_of(straight_run(10, 20))[0];
}

TEST(Curve, HasThePointsThatDifferInSizeOnly) {
  verdict::Run run = straight_run(10, 20);
  std::ranges::reverse(run.points);
  run.points[0].buffers = BufferMode::in_place;
  run.points.insert(run.points.begin() + 1, run.points[2]);
  run.points[1].algorithm = "tree";
  const std::vector<Curve> curves = curves_of(run);
  ASSERT_EQ(curves.size(), 3u);
  EXPECT_EQ(curves[1].algorithm, "tree");
  EXPECT_EQ(curves[2].points.size(), run.points.size() - 2);
  EXPECT_EQ(curves[2].points.front().size_bytes, 8u);
}

/// As without --algo: small sizes by another algorithm.
Curve chosen_curve() {
  verdict::Run run = straight_run(10, 20);
  for (std::size_t i = 0; i < 11; ++i) run.points[i].algorithm = "direct";
  const std::vector<Curve> curves = curves_of(run);
  EXPECT_EQ(curves.size(), 1u);
  return curves.at(0);
}

TEST(Curve, IsOneWhereAlgorithmsWereChosenBySize) {
  const Curve curve = chosen_curve();
  EXPECT_EQ(curve.points.size(), straight_curve().points.size());
  EXPECT_EQ(curve.algorithm, "ring") << "of the largest size";
  EXPECT_EQ(algorithms_of(curve), "direct, ring");
  EXPECT_EQ(algorithms_of(straight_curve()), "ring");
}

TEST(Curve, HasNoDipWhereTheAlgorithmChanges) {
  Curve curve = chosen_curve();
  for (Point& point : curve.points) {
    if (point.algorithm == "ring") continue;
    *point.time_us /= 5;
    *point.busbw_gigabytes_per_second *= 5;
  }
  EXPECT_TRUE(dips_of(curve, 0.05).empty()) << "a ring has less than direct at a smaller size";
  for (Point& point : curve.points) {
    if (point.algorithm != "ring") *point.time_us *= 25;
  }
  EXPECT_TRUE(dips_of(curve, 0.05).empty()) << "a ring takes less than direct at a smaller size";
  for (Point& point : curve.points) point.algorithm = "ring";
  EXPECT_FALSE(dips_of(curve, 0.05).empty());
}

TEST(Curve, HasDipsWithinAnAlgorithm) {
  Curve curve = chosen_curve();
  *curve.points[5].time_us = 20;
  *curve.points[25].busbw_gigabytes_per_second /= 2;
  const std::vector<Dip> dips = dips_of(curve, 0.05);
  ASSERT_EQ(dips.size(), 2U);
  EXPECT_EQ(dips[0].algorithm, "direct");
  EXPECT_EQ(dips[0].size_bytes, 256U);
  EXPECT_EQ(dips[1].algorithm, "ring");
}

TEST(Curve, IsInterpolatedBetweenItsPoints) {
  Curve curve{
      .points = {{.size_bytes = 1024, .time_us = 100, .busbw_gigabytes_per_second = 10.24},
                 {.size_bytes = 4096, .time_us = 400, .busbw_gigabytes_per_second = 10.24}}};
  const auto at = [&](std::uint64_t size) { return interpolated(curve, {.size_bytes = size}); };
  const auto point = at(2048);
  ASSERT_TRUE(point);
  EXPECT_DOUBLE_EQ(*point->time_us, 200);
  EXPECT_DOUBLE_EQ(*point->busbw_gigabytes_per_second, 10.24);
  EXPECT_FALSE(at(512));
  EXPECT_FALSE(at(8192));
  curve.points[0].time_us.reset();
  EXPECT_FALSE(at(2048));
}

TEST(Curve, IsInterpolatedForOneAlgorithm) {
  const auto between = [](const char* low, const char* high, const char* ours) {
    const Curve curve{.points = {{.size_bytes = 1024, .algorithm = low, .time_us = 100},
                                 {.size_bytes = 4096, .algorithm = high, .time_us = 400}}};
    return interpolated(curve, {.size_bytes = 2048, .algorithm = ours}).has_value();
  };
  EXPECT_TRUE(between("ring", "ring", "ring"));
  EXPECT_FALSE(between("direct", "ring", "ring"));
  EXPECT_FALSE(between("direct", "ring", "direct"));
  EXPECT_FALSE(between("direct", "direct", "ring"));
  EXPECT_TRUE(between("", "", "ring")) << "a reference that names none";
  EXPECT_TRUE(between("ring", "ring", "")) << "a log that names none";
  EXPECT_FALSE(between("direct", "ring", ""));
}

TEST(Curve, HasAPlateau) {
  const auto plateau = plateau_of(straight_curve());
  ASSERT_TRUE(plateau);
  EXPECT_EQ(plateau->from_bytes, 2U << 20U);  // 157 us at full speed beside 10 us of latency
  EXPECT_GT(plateau->busbw_gigabytes_per_second, 19.5);
  EXPECT_LE(plateau->busbw_gigabytes_per_second, 20);
  EXPECT_FALSE(plateau_of({}));
}

TEST(Curve, HasAMedianFromASizeOn) {
  Curve curve;
  for (const double busbw : {1.0, 2.0, 9.0, 4.0}) {
    curve.points.push_back({.size_bytes = 8U << curve.points.size()});
    curve.points.back().busbw_gigabytes_per_second = busbw;
  }
  EXPECT_EQ(median_busbw_from(curve, 16), 4);
  EXPECT_EQ(median_busbw_from(curve, 32), 4) << "the lower of the middle two";
  EXPECT_EQ(median_busbw_from(curve, 128), std::nullopt);
}

TEST(Curve, OnePlateauIsNotSetByOneLuckySize) {
  Curve curve = straight_curve();
  curve.points.back().busbw_gigabytes_per_second = 21;
  EXPECT_LT(plateau_of(curve)->busbw_gigabytes_per_second, 20);
}

TEST(Curve, MayRiseAtItsEnd) {
  Curve curve = straight_curve();
  EXPECT_FALSE(still_rises(curve));
  curve.points.resize(10);
  EXPECT_TRUE(still_rises(curve));
  curve.points.resize(1);
  EXPECT_FALSE(still_rises(curve));
}

TEST(Curve, HasALatencyIfItBeginsAtSmallSizes) {
  Curve curve = straight_curve();
  curve.points[3].time_us = 9;  // whatever is fastest
  EXPECT_EQ(latency_of(curve)->size_bytes, 8u);
  curve.points.erase(curve.points.begin(), curve.points.begin() + 10);
  EXPECT_EQ(latency_of(curve), nullptr);
  EXPECT_EQ(latency_of({}), nullptr);
}

TEST(Curve, OfNegativeBandwidthsHasNoDips) {
  verdict::Run run = straight_run(10, 20);
  for (Point& point : run.points) point.busbw_gigabytes_per_second = -1;
  EXPECT_TRUE(dips_of(curves_of(run)[0], 0.05).empty());
}

TEST(Curve, HasDipsWhereItGoesTheWrongWay) {
  Curve curve = straight_curve();
  EXPECT_TRUE(dips_of(curve, 0.05).empty());
  Point& point = curve.points[20];
  point.time_us = *point.time_us * 2;
  point.busbw_gigabytes_per_second = *point.busbw_gigabytes_per_second / 2;
  const std::vector<Dip> dips = dips_of(curve, 0.05);
  ASSERT_EQ(dips.size(), 1u);  // the next size takes as long as this one: no time shrinks
  EXPECT_EQ(dips[0].size_bytes, point.size_bytes);
  EXPECT_EQ(dips[0].other_bytes, *point.size_bytes / 2);
  EXPECT_EQ(dips[0].unit, "GB/s");
  curve.points[5].time_us = 20;
  const Dip slow = dips_of(curve, 0.05)[0];
  EXPECT_EQ(slow.unit, "us");
  EXPECT_EQ(slow.size_bytes, 256u);
  EXPECT_EQ(slow.value, 20);
  EXPECT_EQ(slow.other_bytes, 512u);
  EXPECT_EQ(in_words(slow).substr(0, 30), "512, which is larger, takes 10");
  EXPECT_TRUE(dips_of(curve, 0.6).empty());
}

/// Recorded of four ranks on two processors next to thirty busy programs.
Curve crowded_curve(double cpu_share) {
  const auto point = [&](std::uint64_t size, double p50_us, double min_us, double busbw) {
    return Point{.size_bytes = size,
                 .algorithm = "direct",
                 .time_us = p50_us,
                 .busbw_gigabytes_per_second = busbw,
                 .min_us = min_us,
                 .cpu_share = cpu_share};
  };
  return {.points = {point(65536, 14696, 7251, 0.0067), point(262144, 1079, 855, 0.3643)}};
}

TEST(Curve, ADipHasAnExcuseWhereRanksWaitedForCpus) {
  const std::vector<Dip> dips = dips_of(crowded_curve(0.032), 0.5);
  ASSERT_EQ(dips.size(), 1U);
  EXPECT_EQ(dips[0].excuse, "the endpoint processes had a CPU for about 3 % of the time");
}

TEST(Curve, ADipIsRealWhereTheyDidNotWaitThatLong) {
  for (const double share : {1.0, 0.96, 0.5}) {
    const std::vector<Dip> dips = dips_of(crowded_curve(share), 0.5);
    ASSERT_EQ(dips.size(), 1U) << share;
    EXPECT_EQ(dips[0].excuse, "") << share;
  }
}

TEST(Curve, HasNoDipWhereTheFastestIterationHasNone) {
  Curve curve = straight_curve();
  Point& point = curve.points[20];
  const double usual_us = *point.time_us;
  point.time_us = usual_us * 4;
  point.busbw_gigabytes_per_second = *point.busbw_gigabytes_per_second / 4;
  point.min_us = usual_us * 1.01;  // interrupted
  EXPECT_TRUE(dips_of(curve, 0.05).empty());
  point.min_us = usual_us * 3.5;  // never fast
  EXPECT_EQ(dips_of(curve, 0.05).size(), 2u);
}

}  // namespace
}  // namespace railgauge::verdict
