#pragma once

#include <cstdint>

namespace railgauge::executor {

/// What ranks tell each other beside data, in the 32 bits that travel with a write: "a chunk of
/// this run has come", or "so many chunks of this run may come", from its start on.
struct Notification {
  bool credit = false;
  std::uint32_t run = 0;     // modulo 2^15
  std::uint32_t chunks = 0;  // of a credit; modulo 2^16

  static constexpr std::uint32_t kRunMask = (1U << 15U) - 1;
  static constexpr std::uint32_t kChunksMask = (1U << 16U) - 1;

  [[nodiscard]] std::uint32_t bits() const {
    return (credit ? 1U << 31U : 0U) | (run & kRunMask) << 16U | (chunks & kChunksMask);
  }
  static Notification from(std::uint32_t bits) {
    return {(bits >> 31U) != 0, bits >> 16U & kRunMask, bits & kChunksMask};
  }

  [[nodiscard]] bool is_of(std::uint32_t number) const { return (number & kRunMask) == run; }
};

}  // namespace railgauge::executor
