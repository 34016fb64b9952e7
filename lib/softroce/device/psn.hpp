#pragma once

#include <cstdint>

namespace railgauge::softroce {

/// Packet sequence numbers: 24 bits, compared round the circle (InfiniBand volume 1, 9.7.1).
using Psn = std::uint32_t;

constexpr Psn psn_plus(Psn psn, std::uint32_t packets) {
  return (psn + packets) & 0xffffff;
}

/// How far `a` lies after `b`; negative when before: -2^23 ... 2^23 - 1.
constexpr std::int32_t psn_distance(Psn a, Psn b) {
  const std::uint32_t ahead = (a - b) & 0xffffff;
  return static_cast<std::int32_t>(ahead ^ 0x800000U) - 0x800000;
}

/// The longest message (InfiniBand volume 1, 9.3.3 and 9.7.6). At the smallest path MTU it takes
/// half of all PSNs, so that old and new can still be told apart.
inline constexpr std::uint64_t kLongestMessage = std::uint64_t{1} << 31;

}  // namespace railgauge::softroce
