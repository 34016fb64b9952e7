#include "softroce/device/link_speed.hpp"

#include <gtest/gtest.h>

namespace railgauge::softroce {
namespace {

TEST(LinkSpeed, IsToldInCodesAndExactlyInWords) {
  const LinkSpeed usual = link_speed(40e9);
  EXPECT_EQ(usual.rate, "40 Gb/sec (4X QDR)");
  EXPECT_EQ(usual.width, 2);
  EXPECT_EQ(usual.speed, 4);
  EXPECT_EQ(link_speed(100e9).rate, "100 Gb/sec (4X EDR)");
  EXPECT_EQ(link_speed(400e9).speed, 128);
}

TEST(LinkSpeed, BelowTheLeastCodeIsThatCode) {
  const LinkSpeed slow = link_speed(200e6);
  EXPECT_EQ(slow.rate, "0.2 Gb/sec (1X SDR)");
  EXPECT_EQ(slow.width, 1);
  EXPECT_EQ(slow.speed, 1);
}

TEST(LinkSpeed, BetweenCodesIsTheNextFaster) {
  EXPECT_EQ(link_speed(1e9).rate, "1 Gb/sec (1X SDR)");
  EXPECT_EQ(link_speed(3e9).rate, "3 Gb/sec (1X QDR)");
  EXPECT_EQ(link_speed(800e9).rate, "800 Gb/sec (4X NDR)");
}

}  // namespace
}  // namespace railgauge::softroce
