#include "measure/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace railgauge::measure {
namespace {

TEST(Statistics, TakesPercentilesByNearestRank) {
  std::vector<double> times_us(200);
  std::iota(times_us.begin(), times_us.end(), 1.0);
  std::ranges::reverse(times_us);
  const Summary summary = summarize(times_us);
  EXPECT_EQ(summary.n, 200U);
  EXPECT_EQ(summary.min_us, 1);
  EXPECT_EQ(summary.p50_us, 100);
  EXPECT_EQ(summary.p90_us, 180);
  EXPECT_EQ(summary.p99_us, 198);
  EXPECT_EQ(summary.max_us, 200);
}

TEST(Statistics, NeverMakesUpATime) {
  const Summary summary = summarize(std::vector<double>{10, 30, 20, 1000});
  EXPECT_EQ(summary.p50_us, 20);  // of an even number the lower one, and no mean of two
  EXPECT_EQ(summary.p90_us, 1000);
  EXPECT_EQ(summary.p99_us, 1000);
}

TEST(Statistics, OfOneIterationIsThatIteration) {
  const Summary summary = summarize(std::vector<double>{7.5});
  for (const double time_us :
       {summary.min_us, summary.p50_us, summary.p90_us, summary.p99_us, summary.max_us}) {
    EXPECT_EQ(time_us, 7.5);
  }
}

TEST(Statistics, RefusesNoIterations) {
  EXPECT_THROW(summarize({}), std::invalid_argument);
}

}  // namespace
}  // namespace railgauge::measure
