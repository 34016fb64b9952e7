#include "verdict/run.hpp"

#include <gtest/gtest.h>

namespace railgauge::verdict {
namespace {

Point timed(double time_us, std::uint64_t size_bytes = 8) {
  Point point{.size_bytes = size_bytes, .type = "float", .op = "sum", .algorithm = "ring"};
  point.time_us = time_us;
  point.median_interval = measure::MedianInterval{time_us - 1, time_us + 1};
  return point;
}

TEST(Repetitions, TheMedianStandsForAll) {
  const auto points = without_repetitions({timed(9), timed(20, 16), timed(30), timed(10)});
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].time_us, 10);
  EXPECT_EQ(points[1].size_bytes, 16u);
  EXPECT_EQ(without_repetitions({timed(9), timed(10)}).at(0).time_us, 10);
}

TEST(Repetitions, TheIntervalSpansAll) {
  const auto points = without_repetitions({timed(9), timed(30), timed(10)});
  EXPECT_EQ(points.at(0).median_interval->low_us, 8);
  EXPECT_EQ(points.at(0).median_interval->high_us, 31);
  Point unknown = timed(9);
  unknown.median_interval.reset();
  EXPECT_FALSE(without_repetitions({timed(10), unknown}).at(0).median_interval);
}

TEST(Repetitions, OtherAlgorithmsAndPlacementsAreNone) {
  Point tree = timed(9);
  tree.algorithm = "tree";
  Point in_place = timed(9);
  in_place.buffers = BufferMode::in_place;
  EXPECT_EQ(without_repetitions({timed(9), tree, in_place}).size(), 3u);
}

}  // namespace
}  // namespace railgauge::verdict
