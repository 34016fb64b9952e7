#include "measure/median_interval.hpp"

#include <gtest/gtest.h>

#include <random>
#include <utility>

namespace railgauge::measure {
namespace {

Histogram one_to(int n) {
  Histogram times;
  for (int i = 1; i <= n; ++i) times.record(std::chrono::microseconds(i));
  return times;
}

TEST(MedianInterval, IsThatOfTheTable) {
  // Le Boudec, table A.1: n, then the ranks of the two order statistics.
  for (const auto& [n, ranks] : {std::pair{6, std::pair{1, 6}},
                                 {8, {1, 8}},
                                 {9, {2, 8}},
                                 {20, {6, 15}},
                                 {50, {18, 33}},
                                 {70, {27, 44}}}) {
    const auto interval = median_interval(one_to(n));
    ASSERT_TRUE(interval) << n;
    EXPECT_NEAR(interval->low_us, ranks.first, ranks.first * 0.002) << n;
    EXPECT_NEAR(interval->high_us, ranks.second, ranks.second * 0.002) << n;
  }
}

TEST(MedianInterval, FewerThanSixHaveNone) {
  for (int n = 0; n < 6; ++n) EXPECT_FALSE(median_interval(one_to(n))) << n;
}

TEST(MedianInterval, HoldsTheMedianInNineteenOfTwentyCases) {
  std::mt19937_64 random(3);
  std::exponential_distribution<double> distribution(1.0 / 50'000);
  const double median_us = 50 * 0.6931471805599453;
  for (const int n : {12, 70, 71, 300}) {
    int held = 0;
    constexpr int kCases = 2000;
    for (int i = 0; i < kCases; ++i) {
      Histogram times;
      for (int k = 0; k < n; ++k) {
        times.record(std::chrono::nanoseconds(static_cast<std::int64_t>(distribution(random))));
      }
      const auto interval = median_interval(times);
      if (interval->low_us <= median_us && median_us <= interval->high_us) ++held;
    }
    EXPECT_GT(held, kCases * 0.935) << n;
    EXPECT_LT(held, kCases * 0.985) << n;
  }
}

}  // namespace
}  // namespace railgauge::measure
