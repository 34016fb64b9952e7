#include "softroce/device/acknowledgement.hpp"

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

using std::chrono::microseconds;

TEST(Syndrome, ClassesOfTheSpecification) {  // InfiniBand volume 1, table 45
  EXPECT_EQ(syndrome_class(0x1f), SyndromeClass::acknowledge);
  EXPECT_EQ(syndrome_class(0x00), SyndromeClass::acknowledge);
  EXPECT_EQ(syndrome_class(0x3f), SyndromeClass::not_ready);
  EXPECT_EQ(syndrome_class(0x40), SyndromeClass::reserved);
  for (const auto negative : {0x60, 0x61, 0x62, 0x63, 0x64}) {
    EXPECT_EQ(syndrome_class(static_cast<std::uint8_t>(negative)), SyndromeClass::negative);
  }
}

TEST(Syndrome, HowLongARequesterWaits) {  // table 46
  EXPECT_EQ(not_ready(1), 0x21);
  EXPECT_EQ(not_ready(33), 0x21);
  EXPECT_EQ(not_ready_delay(not_ready(0)), microseconds(655360));
  EXPECT_EQ(not_ready_delay(not_ready(1)), microseconds(10));
  EXPECT_EQ(not_ready_delay(not_ready(12)), microseconds(640));
  EXPECT_EQ(not_ready_delay(not_ready(31)), microseconds(491520));
  for (std::uint8_t timer = 2; timer < 32; ++timer) {
    EXPECT_GT(not_ready_delay(not_ready(timer)),
              not_ready_delay(not_ready(static_cast<std::uint8_t>(timer - 1))));
  }
}

}  // namespace
}  // namespace railgauge::softroce
