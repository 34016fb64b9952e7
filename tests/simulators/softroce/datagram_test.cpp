#include "softroce/faults/datagram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "softroce/wire/icrc.hpp"
#include "softroce/wire/packet.hpp"

namespace railgauge::softroce {
namespace {

const Envelope kEnvelope{ipv4(0x0a000001), ipv4(0x0a000002), 49'152, 77};

/// A write of so many bytes, as it is on the wire.
Datagram write_of(std::size_t payload_bytes) {
  Packet packet;
  packet.operation = Operation::write_only;
  Datagram datagram;
  datagram.bytes.resize(kMaxHeaderBytes);
  const std::size_t headers = write_headers(packet, payload_bytes, datagram.bytes.data());
  datagram.bytes.resize(headers + payload_bytes + padding(payload_bytes));
  const iovec whole{datagram.bytes.data(), datagram.bytes.size()};
  const std::uint32_t crc = icrc(kEnvelope, {&whole, 1});
  for (std::size_t i = 0; i < kIcrcBytes; ++i) {
    datagram.bytes.push_back(static_cast<std::byte>(crc >> (8 * i)));
  }
  return datagram;
}

bool is_sound(const Datagram& datagram) {
  return verify_icrc(kEnvelope, datagram.bytes) == kEnvelope.identification;
}

TEST(CorruptPayload, FlipsOneBitOfThePayloadAndNoCheckSeesIt) {
  for (const std::size_t payload_bytes : {1U, 5U, 64U, 1000U}) {
    const Datagram original = write_of(payload_bytes);
    ASSERT_TRUE(is_sound(original));
    for (const std::uint64_t bit : {0ULL, 7ULL, 123ULL, ~0ULL}) {
      Datagram false_one = original;
      EXPECT_TRUE(corrupt_payload(false_one, bit));
      EXPECT_TRUE(is_sound(false_one)) << payload_bytes << " bytes, bit " << bit;
      int flipped = 0;
      for (std::size_t i = 0; i + kIcrcBytes < original.bytes.size(); ++i) {
        flipped += std::popcount(std::to_integer<unsigned>(original.bytes[i] ^ false_one.bytes[i]));
      }
      EXPECT_EQ(flipped, 1);
    }
  }
}

TEST(CorruptPayload, LeavesAloneWhatHasNoPayload) {
  const Datagram original = write_of(0);
  Datagram datagram = original;
  EXPECT_FALSE(corrupt_payload(datagram, 3));
  EXPECT_EQ(datagram.bytes, original.bytes);
  Datagram nothing;
  EXPECT_FALSE(corrupt_payload(nothing, 3));
}

TEST(CorruptPayload, DoesNotMendWhatIsDamaged) {
  Datagram datagram = write_of(64);
  ASSERT_TRUE(flip_bit(datagram, datagram.bytes.size() * 8 - 1));
  EXPECT_TRUE(corrupt_payload(datagram, 3));
  EXPECT_FALSE(is_sound(datagram));
}

}  // namespace
}  // namespace railgauge::softroce
