#include "softfabric/headers.hpp"

#include <gtest/gtest.h>

#include "softfabric/frames.hpp"

namespace railgauge::softfabric {
namespace {

TEST(Headers, ReadsWhatASwitchNeeds) {
  const auto headers = parse(frame_of({.source = 0x0a0b0003,
                                       .destination = 0x0a0c0104,
                                       .source_port = 50000,
                                       .queue_pair = 0x123456,
                                       .payload_bytes = 100,
                                       .dscp = 26,
                                       .ttl = 7}));
  ASSERT_TRUE(headers.has_value());
  EXPECT_EQ(headers->source, 0x0a0b0003U);
  EXPECT_EQ(headers->destination, 0x0a0c0104U);
  EXPECT_EQ(headers->source_port, 50000);
  EXPECT_EQ(headers->destination_port, 4791);
  EXPECT_EQ(headers->protocol, kUdp);
  EXPECT_EQ(headers->ip_bytes, 20 + 8 + 12 + 100 + 4);
  EXPECT_EQ(headers->dscp, 26);
  EXPECT_EQ(headers->ecn, Ecn::capable_0);
  EXPECT_EQ(headers->ttl, 7);
  EXPECT_TRUE(headers->roce);
  EXPECT_EQ(headers->opcode, 0x04);
  EXPECT_EQ(headers->queue_pair, 0x123456U);
}

TEST(Headers, OtherUdpIsNoRoce) {
  const auto headers = parse(frame_of({.destination_port = 53}));
  ASSERT_TRUE(headers.has_value());
  EXPECT_FALSE(headers->roce);
  EXPECT_EQ(headers->queue_pair, 0U);
}

TEST(Headers, LaterFragmentsHaveNoPorts) {
  Frame frame = frame_of({});
  write_16(&frame[kEthernetBytes + 6], 100);
  const auto headers = parse(frame);
  ASSERT_TRUE(headers.has_value());
  EXPECT_EQ(headers->source_port, 0);
  EXPECT_FALSE(headers->roce);
}

TEST(Headers, RefusesWhatContradictsItself) {
  const Frame sound = frame_of({.payload_bytes = 64});
  Frame frame = sound;
  write_16(&frame[12], 0x86dd);
  EXPECT_FALSE(parse(frame)) << "IPv6";
  frame = sound;
  frame[kEthernetBytes] = std::byte{0x44};
  EXPECT_FALSE(parse(frame)) << "a header of 16 bytes";
  frame = sound;
  write_16(&frame[kEthernetBytes + 2], static_cast<std::uint16_t>(frame.size()));
  EXPECT_FALSE(parse(frame)) << "longer than the frame";
  for (std::size_t size = 0; size < sound.size(); ++size) {
    EXPECT_FALSE(parse(std::span(sound).first(size))) << size;
  }
}

TEST(Headers, ChangesKeepTheChecksumRight) {
  Frame frame = frame_of({.dscp = 26, .ttl = 200});
  Headers headers = parse(frame).value();
  decrement_ttl(frame, headers);
  EXPECT_TRUE(ip_checksum_is_right(frame));
  set_ecn(frame, headers, Ecn::congested);
  EXPECT_TRUE(ip_checksum_is_right(frame));
  set_dscp(frame, headers, 5);
  EXPECT_TRUE(ip_checksum_is_right(frame));
  EXPECT_TRUE(icrc_is_right(frame)) << "it does not cover what switches change";
  const Headers again = parse(frame).value();
  EXPECT_EQ(again.ttl, 199);
  EXPECT_EQ(again.ecn, Ecn::congested);
  EXPECT_EQ(again.dscp, 5);
}

/// All 65536 words, as the sum's zero has two forms.
TEST(Headers, UpdatedChecksumIsTheOneComputedAnew) {
  Frame frame = frame_of({});
  const std::span ip = std::span(frame).subspan(kEthernetBytes, kIpv4Bytes);
  for (std::uint32_t word = 0; word <= 0xffff; ++word) {
    const std::uint16_t before = read_16(&ip[16]);
    write_16(&ip[16], static_cast<std::uint16_t>(word));
    write_16(&ip[10], updated_checksum(read_16(&ip[10]), before, static_cast<std::uint16_t>(word)));
    ASSERT_TRUE(ip_checksum_is_right(frame)) << word;
  }
}

}  // namespace
}  // namespace railgauge::softfabric
