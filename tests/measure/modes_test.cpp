#include "measure/modes.hpp"

#include <gtest/gtest.h>

#include <random>

namespace railgauge::measure {
namespace {

/// `n` durations around each of two centres, the second with this share of them.
Histogram two_groups(double first_us, double second_us, double share, int n) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> spread(1, 0.03);
  Histogram times;
  for (int i = 0; i < n; ++i) {
    const bool second = static_cast<double>(i % 100) < share * 100;
    const double us = (second ? second_us : first_us) * spread(random);
    times.record(std::chrono::nanoseconds(static_cast<std::int64_t>(us * 1000)));
  }
  return times;
}

TEST(Modes, TwoGroupsAreSeen) {
  for (const int n : {400, 1000, 100'000}) {
    EXPECT_TRUE(is_bimodal(two_groups(100, 150, 0.5, n))) << n;
    EXPECT_TRUE(is_bimodal(two_groups(100, 150, 0.2, n))) << n;
    EXPECT_TRUE(is_bimodal(two_groups(100, 60, 0.2, n))) << n;
    EXPECT_TRUE(is_bimodal(two_groups(10, 9000, 0.3, n))) << n;
  }
}

TEST(Modes, OneGroupIsOne) {
  for (const int n : {20, 100, 1000, 100'000})
    EXPECT_FALSE(is_bimodal(two_groups(100, 100, 0.5, n)));
}

TEST(Modes, AFewOutliersAreNoGroup) {
  EXPECT_FALSE(is_bimodal(two_groups(100, 500, 0.02, 10'000)));
}

TEST(Modes, ALongTailIsNoGroup) {
  std::mt19937_64 random(5);
  std::lognormal_distribution<double> distribution(10, 0.5);
  for (const int n : {1000, 100'000}) {
    Histogram times;
    for (int i = 0; i < n; ++i) {
      times.record(std::chrono::nanoseconds(static_cast<std::int64_t>(distribution(random))));
    }
    EXPECT_FALSE(is_bimodal(times)) << n;
  }
}

TEST(Modes, AFewDurationsHaveNone) {
  EXPECT_FALSE(is_bimodal(Histogram()));
  EXPECT_FALSE(is_bimodal(two_groups(100, 900, 0.5, 19)));
}

}  // namespace
}  // namespace railgauge::measure
