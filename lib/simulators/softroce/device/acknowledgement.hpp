#pragma once

#include <array>
#include <cstdint>

#include "softroce/faults/faults.hpp"

namespace railgauge::softroce {

/// Packet sequence numbers: 24 bits, compared modulo 2^24 (InfiniBand volume 1, 9.7.1).
using Psn = std::uint32_t;

constexpr Psn psn_plus(Psn psn, std::uint32_t packets) {
  return (psn + packets) & 0xffffff;
}

/// How far `a` is after `b`; negative if before: -2^23 ... 2^23 - 1.
constexpr std::int32_t psn_distance(Psn a, Psn b) {
  const std::uint32_t ahead = (a - b) & 0xffffff;
  return static_cast<std::int32_t>(ahead ^ 0x800000U) - 0x800000;
}

/// The longest message (InfiniBand volume 1, 9.3.3 and 9.7.6). At the smallest path MTU it takes
/// half of all PSNs, so that old and new can still be told apart.
inline constexpr std::uint64_t kLongestMessage = std::uint64_t{1} << 31;

/// What an AETH says (InfiniBand volume 1, table 45 and 46): three bits of class, five of value.
enum class SyndromeClass : std::uint8_t {
  acknowledge = 0,
  not_ready = 1,
  reserved = 2,
  negative = 3
};

enum class Syndrome : std::uint8_t {
  acknowledge = 0x1f,  ///< no end-to-end flow control: the credit count is invalid
  sequence_error = 0x60,
  invalid_request = 0x61,
  remote_access = 0x62,
  remote_operation = 0x63,
};

constexpr SyndromeClass syndrome_class(std::uint8_t syndrome) {
  return static_cast<SyndromeClass>((syndrome >> 5) & 3);
}

/// The syndrome of a receiver that is not ready: `timer` is ibv_qp_attr.min_rnr_timer.
constexpr std::uint8_t not_ready(std::uint8_t timer) {
  return static_cast<std::uint8_t>(0x20 | (timer & 0x1f));
}

/// How long a requester then waits (table 46), in units of 10 us.
constexpr nanoseconds not_ready_delay(std::uint8_t syndrome) {
  constexpr std::array<int, 32> kUnits = {65536, 1,    2,    3,     4,     6,     8,     12,
                                          16,    24,   32,   48,    64,    96,    128,   192,
                                          256,   384,  512,  768,   1024,  1536,  2048,  3072,
                                          4096,  6144, 8192, 12288, 16384, 24576, 32768, 49152};
  return std::chrono::microseconds(10) * kUnits[syndrome & 0x1f];
}

}  // namespace railgauge::softroce
