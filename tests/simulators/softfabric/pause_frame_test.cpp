#include "softfabric/pause_frame.hpp"

#include <gtest/gtest.h>

#include "softfabric/frames.hpp"

namespace railgauge::softfabric {
namespace {

using namespace std::chrono_literals;

constexpr std::array<std::byte, 6> kMac{std::byte{2}, std::byte{0x72}, std::byte{0x67},
                                        std::byte{0}, std::byte{1},    std::byte{0x0a}};

/// IEEE 802.1Q-2018, figure 36-4: destination, source, EtherType 8808, opcode 0101, the vector, and
/// eight times.
TEST(PauseFrame, IsThatOfTheStandard) {
  Pause pause{};
  pause[3] = 0x1234;
  pause[0] = 0;
  const auto frame = pause_frame(pause, kMac.data());
  const std::array<unsigned, 34> expected{0x01, 0x80, 0xc2, 0, 0, 1, 2, 0x72, 0x67, 0, 1, 0x0a,
                                          0x88, 0x08, 1,    1, 0, 9, 0, 0,    0,    0, 0, 0,
                                          0x12, 0x34, 0,    0, 0, 0, 0, 0,    0,    0};
  for (std::size_t at = 0; at < expected.size(); ++at) {
    EXPECT_EQ(std::to_integer<unsigned>(frame[at]), expected[at]) << at;
  }
}

TEST(PauseFrame, IsReadAsItWasWritten) {
  Pause pause{};
  pause[0] = kLongestPause;
  pause[7] = 0;
  EXPECT_EQ(parse_pause(pause_frame(pause, kMac.data())), pause);
}

TEST(PauseFrame, OthersAreNone) {
  EXPECT_FALSE(parse_pause(frame_of({})));
  auto frame = pause_frame({}, kMac.data());
  EXPECT_TRUE(parse_pause(frame));
  EXPECT_FALSE(parse_pause(std::span(frame).first(33)));
  frame[15] = std::byte{0x01};
  frame[14] = std::byte{0x00};
  EXPECT_FALSE(parse_pause(frame)) << "802.3x: the whole link";
}

TEST(PauseFrame, QuantaAre512BitTimes) {
  EXPECT_EQ(duration_of(1, 1e9), 512ns);
  EXPECT_EQ(duration_of(kLongestPause, 200e6), 167'769'600ns);
}

}  // namespace
}  // namespace railgauge::softfabric
