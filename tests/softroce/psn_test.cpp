#include "softroce/device/psn.hpp"

#include <gtest/gtest.h>

namespace railgauge::softroce {
namespace {

TEST(Psn, GoesRoundAtTwentyFourBits) {
  EXPECT_EQ(psn_plus(0xffffff, 1), 0U);
  EXPECT_EQ(psn_plus(0xfffff0, 0x20), 0x10U);
  EXPECT_EQ(psn_plus(5, 0xffffff), 4U);  // one back
}

TEST(Psn, DistanceIsTheShorterWayRound) {
  EXPECT_EQ(psn_distance(7, 7), 0);
  EXPECT_EQ(psn_distance(1, 0xffffff), 2);
  EXPECT_EQ(psn_distance(0xffffff, 1), -2);
  EXPECT_EQ(psn_distance(0x7fffff, 0), 0x7fffff);
  EXPECT_EQ(psn_distance(0x800000, 0), -0x800000);  // half of all are before
}

TEST(Psn, TheLongestMessageTakesHalfOfAll) {
  EXPECT_EQ(psn_distance(psn_plus(9, kLongestMessage / 256), 9), -0x800000);
}

}  // namespace
}  // namespace railgauge::softroce
