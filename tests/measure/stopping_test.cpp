#include "measure/stopping.hpp"

#include <gtest/gtest.h>

namespace railgauge::measure {
namespace {

using std::chrono::seconds;

/// `n` durations of 100 µs and a bit, evenly over a range of this part of it.
Histogram times_of(int n, double spread) {
  Histogram times;
  for (int i = 0; i < n; ++i) {
    const double us = 100 * (1 + spread * i / n);
    times.record(std::chrono::nanoseconds(static_cast<std::int64_t>(us * 1000)));
  }
  return times;
}

TEST(Stopping, ByTheNumberOfIterations) {
  const StoppingRule rule{.iterations = 20};
  EXPECT_FALSE(stop(rule, times_of(19, 0), seconds(100)));
  EXPECT_EQ(stop(rule, times_of(20, 0), seconds(0)), StoppedBy::iterations);
}

TEST(Stopping, ByTheDurationButNotBeforeTheIterations) {
  const StoppingRule rule{.iterations = 20, .duration = seconds(2)};
  EXPECT_FALSE(stop(rule, times_of(19, 0), seconds(3)));
  EXPECT_FALSE(stop(rule, times_of(1000, 0), seconds(1)));
  EXPECT_EQ(stop(rule, times_of(20, 0), seconds(2)), StoppedBy::duration);
}

TEST(Stopping, ByTheIntervalOrTheDurationWhicheverIsFirst) {
  const StoppingRule rule{.iterations = 20, .duration = seconds(2), .interval = 0.01};
  EXPECT_EQ(stop(rule, times_of(100, 0.001), seconds(1)), StoppedBy::interval);
  EXPECT_FALSE(stop(rule, times_of(100, 0.5), seconds(1)));
  EXPECT_EQ(stop(rule, times_of(100, 0.5), seconds(2)), StoppedBy::duration);
  EXPECT_EQ(stop(rule, times_of(10'000, 0.5), seconds(1)), StoppedBy::interval);
}

TEST(Stopping, ABatchIsWhatIsMissingOrAboutASecond) {
  EXPECT_EQ(next_batch({.iterations = 5000}, times_of(4096, 0), seconds(1), 4096), 904U);
  const StoppingRule rule{.iterations = 20, .duration = seconds(60)};
  EXPECT_NEAR(static_cast<double>(next_batch(rule, times_of(20, 0), seconds(1), 100'000)), 10'000,
              100);
  EXPECT_EQ(next_batch(rule, times_of(20, 0), seconds(1), 4096), 4096U);
  EXPECT_EQ(next_batch(rule, times_of(20, 0), seconds(60), 4096), 1U);  // never none
}

}  // namespace
}  // namespace railgauge::measure
