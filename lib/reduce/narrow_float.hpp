#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace railgauge::reduce {

/// What a format of at most 16 bits is made of, besides its sign bit. `largest` is the magnitude
/// that every greater one becomes: the greatest finite one where conversion saturates, 2^(1 + the
/// greatest exponent), which is encoded as infinity, where it overflows.
struct NarrowFormat {
  int exponent_bits;
  int mantissa_bits;
  float largest;
  bool has_infinity;

  [[nodiscard]] constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
};

/// A number that is stored in a narrow format, and computed with as a float, which holds it
/// exactly. Conversion from float rounds to the nearest, of two the even one, subnormals as well;
/// a NaN stays a NaN, of no particular payload. Without infinities the one NaN is all ones.
template <class Storage, NarrowFormat kFormat>
struct NarrowFloat {
  static constexpr int kMantissaBits = kFormat.mantissa_bits;

  Storage bits = 0;

  NarrowFloat() = default;
  explicit NarrowFloat(float value) : bits(encoded(value)) {}

  [[nodiscard]] static NarrowFloat of_bits(Storage bits) {
    NarrowFloat result;
    result.bits = bits;
    return result;
  }

  explicit operator float() const {
    const float sign = (bits & kSign) == 0 ? 1.0F : -1.0F;
    const std::uint32_t magnitude = bits & (kSign - 1U);
    const std::uint32_t exponent = magnitude >> kFormat.mantissa_bits;
    if (is_special(magnitude)) return sign * special(magnitude);
    // A subnormal is a multiple of the least one. Other exponents only need another bias.
    if (exponent == 0) return sign * static_cast<float>(magnitude) * kLeast;
    constexpr auto kRebias = static_cast<std::uint32_t>(127 - kFormat.bias()) << 23U;
    return sign * std::bit_cast<float>((magnitude << kShift) + kRebias);
  }

 private:
  static constexpr std::uint32_t kSign = 1U << (kFormat.exponent_bits + kFormat.mantissa_bits);
  static constexpr std::uint32_t kShift = 23U - static_cast<std::uint32_t>(kFormat.mantissa_bits);
  static constexpr auto kLeastNormal = static_cast<std::uint32_t>(128 - kFormat.bias()) << 23U;
  static constexpr float kLeast =
      std::bit_cast<float>(kLeastNormal - (kFormat.mantissa_bits << 23));
  static constexpr std::uint32_t kInfinity = ((1U << kFormat.exponent_bits) - 1U)
                                             << kFormat.mantissa_bits;

  static bool is_special(std::uint32_t magnitude) {
    return kFormat.has_infinity ? magnitude >= kInfinity : magnitude == kSign - 1U;
  }

  static float special(std::uint32_t magnitude) {
    const bool infinite = kFormat.has_infinity && magnitude == kInfinity;
    return std::bit_cast<float>(infinite ? 0x7f800000U : 0x7fc00000U);
  }

  static Storage encoded(float value) {
    const auto word = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = word >> 31U == 0 ? 0 : kSign;
    if (value != value) return static_cast<Storage>(sign | (kSign - 1U));
    const float magnitude = std::min(std::bit_cast<float>(word & 0x7fffffffU), kFormat.largest);
    return static_cast<Storage>(sign | encoded_magnitude(magnitude));
  }

  /// Added to a power of two whose last place is worth as much as the result's, the magnitude is
  /// rounded by the addition; what that power's bits have grown by is the result's significand.
  static std::uint32_t encoded_magnitude(float magnitude) {
    const auto exponent =
        std::max(std::bit_cast<std::uint32_t>(magnitude) & 0x7f800000U, kLeastNormal);
    const std::uint32_t power = exponent + (kShift << 23U);
    const auto sum = std::bit_cast<std::uint32_t>(std::bit_cast<float>(power) + magnitude);
    return sum - power + ((exponent - kLeastNormal) >> kShift);
  }
};

/// IEEE 754's binary16, nccl-tests' half. Beyond 65,504, rounded, it is infinite.
using Float16 = NarrowFloat<
    std::uint16_t,
    NarrowFormat{.exponent_bits = 5, .mantissa_bits = 10, .largest = 65536, .has_infinity = true}>;

/// FP8 E4M3 of the Open Compute Project's "OCP 8-bit Floating Point Specification (OFP8)": no
/// infinities, and one NaN of each sign. What is greater than 448, infinity too, becomes 448: this
/// is the specification's saturating mode, and __NV_SATFINITE, which CUDA's __nv_fp8_e4m3 converts
/// with (CUDA Math API, "__nv_fp8_e4m3"), so that NCCL does the same.
using Float8E4M3 =
    NarrowFloat<std::uint8_t,
                NarrowFormat{
                    .exponent_bits = 4, .mantissa_bits = 3, .largest = 448, .has_infinity = false}>;

/// FP8 E5M2 of the Open Compute Project's OFP8: binary16's upper byte, infinities included. As with
/// Float8E4M3, conversion saturates: what is greater than 57,344, infinity too, becomes 57,344. So
/// an infinity is read as one, and never the result of an operation.
using Float8E5M2 = NarrowFloat<
    std::uint8_t,
    NarrowFormat{.exponent_bits = 5, .mantissa_bits = 2, .largest = 57344, .has_infinity = true}>;

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
