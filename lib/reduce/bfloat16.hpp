#pragma once

#include <bit>
#include <cstdint>

namespace railgauge::reduce {

/// The upper half of a float. Conversion from float rounds to the nearest, of two the even one, and
/// past the greatest to infinity; a NaN stays a NaN, of no particular payload.
struct BFloat16 {
  static constexpr int kMantissaBits = 7;

  std::uint16_t bits = 0;

  BFloat16() = default;
  explicit BFloat16(float value) : bits(encoded(value)) {}

  [[nodiscard]] static BFloat16 of_bits(std::uint16_t bits) {
    BFloat16 result;
    result.bits = bits;
    return result;
  }

  explicit operator float() const { return std::bit_cast<float>(std::uint32_t{bits} << 16U); }

 private:
  static std::uint16_t encoded(float value) {
    const auto word = std::bit_cast<std::uint32_t>(value);
    if (value != value) return static_cast<std::uint16_t>((word >> 16U) | 0x40U);
    // Just under a half of what is kept, and the last bit of it: a tie goes up if that is odd.
    return static_cast<std::uint16_t>((word + 0x7fffU + ((word >> 16U) & 1U)) >> 16U);
  }
};

}  // namespace railgauge::reduce
