#include "verdict/median_interval.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace railgauge::verdict {
namespace {

/// A bin of one time each: 1, 2, 3 … us.
std::vector<Bin> times(int n) {
  std::vector<Bin> bins;
  for (int time = 1; time <= n; ++time) bins.push_back({double(time), double(time), 1});
  return bins;
}

/// Ranks as tables of order statistics have them (n = 20: 6th and 15th; n = 100: 40th and 61st).
TEST(MedianInterval, LiesBetweenOrderStatistics) {
  const auto of_100 = median_interval(times(100));
  ASSERT_TRUE(of_100);
  EXPECT_EQ(of_100->low_us, 40);
  EXPECT_EQ(of_100->high_us, 61);
  const auto of_20 = median_interval(times(20));
  EXPECT_EQ(of_20->low_us, 5);  // on the safe side
  EXPECT_EQ(of_20->high_us, 16);
}

TEST(MedianInterval, TakesTheEdgesOfBins) {
  const std::vector<Bin> bins{{10, 11, 30}, {11, 12, 40}, {12, 13, 30}};
  const auto interval = median_interval(bins);
  EXPECT_EQ(interval->low_us, 11);
  EXPECT_EQ(interval->high_us, 12);
}

TEST(MedianInterval, NeedsSixTimes) {
  EXPECT_FALSE(median_interval({}));
  EXPECT_FALSE(median_interval(times(5)));
  const auto of_6 = median_interval(times(6));
  EXPECT_EQ(of_6->low_us, 1);
  EXPECT_EQ(of_6->high_us, 6);
}

}  // namespace
}  // namespace railgauge::verdict
