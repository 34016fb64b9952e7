#include "measure/statistics.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace railgauge::measure {
namespace {

TEST(Statistics, SummarisesADistribution) {
  Histogram times;
  for (int i = 1; i <= 200; ++i) times.record(std::chrono::nanoseconds(i));
  const Summary summary = summarize(times);
  EXPECT_EQ(summary.n, 200U);
  EXPECT_EQ(summary.min_us, 0.001);
  EXPECT_EQ(summary.p50_us, 0.1);
  EXPECT_EQ(summary.p90_us, 0.18);
  EXPECT_EQ(summary.p99_us, 0.198);
  EXPECT_EQ(summary.p999_us, 0.2);
  EXPECT_EQ(summary.max_us, 0.2);
  EXPECT_NEAR(summary.mean_us, 0.1005, 0.001);
}

TEST(Statistics, VariationIsDeviationOverMean) {
  Histogram times;
  for (const int us : {90, 110, 90, 110}) times.record(std::chrono::microseconds(us));
  EXPECT_NEAR(variation(times), 0.1, 0.005);
  EXPECT_EQ(variation(Histogram()), 0);
}

TEST(Statistics, RefusesNothing) {
  EXPECT_THROW((void)summarize(Histogram()), std::out_of_range);
  EXPECT_THROW((void)median({}), std::invalid_argument);
}

TEST(Statistics, TheMedianIsAValueThatIsThere) {
  EXPECT_EQ(median(std::vector<double>{10, 1000, 30, 20}), 20);
  EXPECT_EQ(median(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(median(std::vector<double>{7}), 7);
}

}  // namespace
}  // namespace railgauge::measure
