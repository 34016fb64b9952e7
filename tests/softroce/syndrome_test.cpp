#include "softroce/device/syndrome.hpp"

#include <gtest/gtest.h>

namespace railgauge::softroce {
namespace {

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
