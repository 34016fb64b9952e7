#include "congestion/clock_offset.hpp"

#include <gtest/gtest.h>

namespace railgauge::congestion {
namespace {

TEST(ClockOffset, IsWithinWhatAllBarriersAllow) {
  // The own clock is 100 s ahead; nobody leaves before both have entered.
  const std::vector<Meeting> first{{1.000, 1.003}, {2.000, 2.001}, {3.000, 3.010}};
  const std::vector<Meeting> own{{101.001, 101.002}, {101.9995, 102.0004}, {103.008, 103.009}};
  const auto offset = clock_offset(first, own);
  ASSERT_TRUE(offset);
  EXPECT_NEAR(offset->seconds, -100, offset->uncertainty_s + 1e-9);
  EXPECT_LT(offset->uncertainty_s, 0.002);
}

TEST(ClockOffset, IsNotKnownWithoutABarrierOrOfClocksThatLeap) {
  EXPECT_FALSE(clock_offset({}, {}));
  const std::vector<Meeting> first{{1.000, 1.001}, {2.000, 2.001}};
  const std::vector<Meeting> own{{101.000, 101.001}, {152.000, 152.001}};
  EXPECT_FALSE(clock_offset(first, own));
}

}  // namespace
}  // namespace railgauge::congestion
