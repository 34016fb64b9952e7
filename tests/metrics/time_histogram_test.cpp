#include "metrics/time_histogram.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>

namespace railgauge::metrics {
namespace {

TEST(TimeHistogram, CountsInTheBucketWhoseBoundIsNotExceeded) {
  TimeHistogram times;
  times.add(1e-6);       // the first bound itself
  times.add(1.5e-6, 3);  // up to 2 us
  times.add(11);         // beyond the last
  EXPECT_EQ(times.counts().front(), 1U);
  EXPECT_EQ(times.counts()[1], 3U);
  EXPECT_EQ(times.counts().back(), 1U);
  EXPECT_EQ(std::accumulate(times.counts().begin(), times.counts().end(), std::uint64_t{0}), 5U);
  EXPECT_NEAR(times.sum_seconds(), 11 + 5.5e-6, 1e-9);
}

TEST(TimeHistogram, HasAscendingBounds) {
  for (std::size_t i = 1; i < TimeHistogram::kBoundsSeconds.size(); ++i) {
    EXPECT_LT(TimeHistogram::kBoundsSeconds.at(i - 1), TimeHistogram::kBoundsSeconds.at(i));
  }
}

}  // namespace
}  // namespace railgauge::metrics
