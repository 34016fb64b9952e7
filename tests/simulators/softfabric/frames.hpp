#pragma once

// Frames as soft devices send them, for the switches' tests.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace railgauge::softfabric {

using Frame = std::vector<std::byte>;

struct FrameOf {
  std::uint32_t source = 0x0a0a0001;
  std::uint32_t destination = 0x0a0a0002;
  std::uint16_t source_port = 49152;
  std::uint16_t destination_port = 4791;
  std::uint32_t queue_pair = 17;
  std::size_t payload_bytes = 1000;
  std::uint8_t dscp = 0;
  std::uint8_t ecn = 2;
  std::uint8_t ttl = 64;
  std::uint8_t opcode = 0x04;  ///< SEND only: no extended header
  bool udp_checksum = true;
  std::uint32_t number = 0;  ///< the first four bytes of the payload, if it has so many
};

/// Ethernet, IPv4, UDP, BTH, payload and ICRC, with all checksums right.
Frame frame_of(const FrameOf& what);

/// `FrameOf::number` of a frame without extended headers.
std::uint32_t number_in(const Frame& frame);

/// What a receiver's kernel and device check.
bool ip_checksum_is_right(const Frame& frame);
bool udp_checksum_is_right(const Frame& frame);
bool icrc_is_right(const Frame& frame);

}  // namespace railgauge::softfabric
