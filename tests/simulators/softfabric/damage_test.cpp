#include "softfabric/damage.hpp"

#include <gtest/gtest.h>

#include "softfabric/frames.hpp"

namespace railgauge::softfabric {
namespace {

int bits_changed(const Frame& one, const Frame& other) {
  int bits = 0;
  for (std::size_t at = 0; at < one.size(); ++at) {
    bits += std::popcount(std::to_integer<unsigned>(one[at] ^ other[at]));
  }
  return bits;
}

constexpr std::size_t kBthOffset = kEthernetBytes + kIpv4Bytes + kUdpBytes;

TEST(Damage, CorruptionIsSeenByTheIcrcAlone) {
  for (const bool checksum : {true, false}) {
    const Frame sound = frame_of({.payload_bytes = 64, .udp_checksum = checksum});
    const Headers headers = parse(sound).value();
    ASSERT_TRUE(icrc_is_right(sound));
    for (std::uint64_t number = 0; number < 8 * sound.size(); ++number) {
      Frame frame = sound;
      ASSERT_TRUE(corrupt(frame, headers, number));
      EXPECT_FALSE(icrc_is_right(frame)) << number;
      EXPECT_TRUE(udp_checksum_is_right(frame)) << number;
      EXPECT_TRUE(ip_checksum_is_right(frame)) << number;
    }
  }
}

TEST(Damage, OtherPacketsAreCorruptedBehindTheIpHeader) {
  const Frame sound = frame_of({.destination_port = 53, .payload_bytes = 20});
  const Headers headers = parse(sound).value();
  for (std::uint64_t number = 0; number < 1000; ++number) {
    Frame frame = sound;
    ASSERT_TRUE(corrupt(frame, headers, number));
    EXPECT_EQ(bits_changed(sound, frame), 1);
    EXPECT_TRUE(ip_checksum_is_right(frame));
    EXPECT_FALSE(udp_checksum_is_right(frame)) << number;
  }
}

/// Extended headers and padding stay as they are: (opcode, bytes of extended headers).
TEST(Damage, NobodySeesCorruptPayload) {
  const std::vector<std::pair<std::uint8_t, std::size_t>> kinds{
      {0x04, 0}, {0x06, 16}, {0x07, 0}, {0x0a, 16}, {0x0b, 20}, {0x0d, 4},
      {0x0e, 0}, {0x10, 4},  {0x05, 4}, {0x17, 4},  {0x64, 8},  {0x65, 12}};
  for (const auto& [opcode, extended] : kinds) {
    const Frame sound = frame_of({.payload_bytes = extended + 8, .opcode = opcode});
    const Headers headers = parse(sound).value();
    for (std::uint64_t number = 0; number < 200; ++number) {
      Frame frame = sound;
      ASSERT_TRUE(corrupt_payload(frame, headers, number)) << int{opcode};
      EXPECT_TRUE(icrc_is_right(frame)) << int{opcode};
      EXPECT_TRUE(udp_checksum_is_right(frame)) << int{opcode};
      const std::size_t payload_at = kBthOffset + kBthBytes + extended;
      EXPECT_TRUE(std::equal(sound.begin() + kBthOffset,
                             sound.begin() + static_cast<long>(payload_at),
                             frame.begin() + kBthOffset))
          << int{opcode};
      EXPECT_FALSE(std::equal(sound.begin() + static_cast<long>(payload_at), sound.end() - 4,
                              frame.begin() + static_cast<long>(payload_at)));
    }
  }
}

TEST(Damage, PaddingIsNoPayload) {
  Frame sound = frame_of({.payload_bytes = 4});
  sound[kBthOffset + 1] = std::byte{3U << 4U};  // one byte of payload, three of padding
  const Headers headers = parse(sound).value();
  for (std::uint64_t number = 0; number < 64; ++number) {
    Frame frame = sound;
    ASSERT_TRUE(corrupt_payload(frame, headers, number));
    EXPECT_NE(frame[kBthOffset + kBthBytes], sound[kBthOffset + kBthBytes]);
    EXPECT_EQ(frame[kBthOffset + kBthBytes + 1], sound[kBthOffset + kBthBytes + 1]);
  }
}

TEST(Damage, WithoutPayloadThereIsNothingToFalsify) {
  for (const std::uint8_t opcode : std::vector<std::uint8_t>{0x0c, 0x11, 0x12, 0x13, 0x81}) {
    Frame frame = frame_of({.payload_bytes = 16, .opcode = opcode});
    const Frame sound = frame;
    EXPECT_FALSE(corrupt_payload(frame, parse(frame).value(), 3)) << int{opcode};
    EXPECT_EQ(frame, sound);
  }
  Frame empty = frame_of({.payload_bytes = 0});
  EXPECT_FALSE(corrupt_payload(empty, parse(empty).value(), 3));
}

}  // namespace
}  // namespace railgauge::softfabric
