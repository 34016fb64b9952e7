// For every target of Highway's once: no pragma once.
#if defined(RAILGAUGE_REDUCE_NARROW_VECTORS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef RAILGAUGE_REDUCE_NARROW_VECTORS_INL_HPP
#undef RAILGAUGE_REDUCE_NARROW_VECTORS_INL_HPP
#else
#define RAILGAUGE_REDUCE_NARROW_VECTORS_INL_HPP
#endif

#include <cstdint>

#include "reduce/half_vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace railgauge::reduce::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

/// Rounds to the nearest float of an 8-bit format, of two the even one. `kLeastNormal` are the bits
/// of that format's least normal number. Added to a power of two whose last place is worth as much
/// as the result's, a number is rounded by the addition. The sign of what becomes 0 is put back.
template <int kMantissaBits, std::uint32_t kLeastNormal>
HWY_INLINE FloatVector rounded(FloatVector value) {
  const FloatLanes df;
  const Lanes<std::int32_t> d;
  const auto word = hn::BitCast(d, value);
  const auto sign = hn::And(word, hn::SignBit(d));
  const auto exponent = hn::Max(hn::And(word, hn::Set(d, 0x7f800000)),
                                hn::Set(d, static_cast<std::int32_t>(kLeastNormal)));
  const auto magnitude = hn::Add(exponent, hn::Set(d, (23 - kMantissaBits) << 23));
  const auto power = hn::BitCast(df, hn::Or(magnitude, sign));
  return hn::Or(hn::Sub(hn::Add(value, power), power), hn::BitCast(df, sign));
}

/// How bytes of a format become two vectors of binary16, of the even and of the odd bytes, whose
/// floats are computed with, scaled by `kScale`: a power of two.
struct E5M2Vectors {
  static constexpr float kScale = 1;

  static HWY_INLINE HalfVector even_halves(HalfVector bytes) { return hn::ShiftLeft<8>(bytes); }
  static HWY_INLINE HalfVector odd_halves(HalfVector bytes) {
    return hn::And(bytes, hn::Set(Lanes<std::uint16_t>(), 0xff00));
  }
  static HWY_INLINE FloatVector rounded(FloatVector value) {
    return HWY_NAMESPACE::rounded<2, 0x38800000>(value);  // 2^-14
  }
  static HWY_INLINE HalfVector bytes(HalfVector even, HalfVector odd) {
    const Lanes<std::uint16_t> d;
    const auto low = hn::ShiftRight<8>(saturated(even));
    return hn::Or(low, hn::And(saturated(odd), hn::Set(d, 0xff00)));
  }

 private:
  /// Only infinity is beyond the greatest, and its predecessor in 8 bits is the greatest.
  static HWY_INLINE HalfVector saturated(HalfVector half) {
    const Lanes<std::uint16_t> d;
    const auto magnitude = hn::And(half, hn::Set(d, 0x7fff));
    const auto infinite = hn::Eq(magnitude, hn::Set(d, 0x7c00));
    return hn::Sub(half, hn::IfThenElseZero(infinite, hn::Set(d, 0x100)));
  }
};

/// An exponent of 4 bits in a field of 5: all is 2^8 times as small, subnormals too, and the NaN a
/// number.
struct E4M3Vectors {
  static constexpr float kScale = 0x1p-8F;

  static HWY_INLINE HalfVector even_halves(HalfVector bytes) {
    return odd_halves(hn::ShiftLeft<8>(bytes));
  }
  static HWY_INLINE HalfVector odd_halves(HalfVector bytes) {
    const Lanes<std::uint16_t> d;
    const Lanes<std::int16_t> di;
    const auto shifted = hn::BitCast(d, hn::ShiftRight<1>(hn::BitCast(di, bytes)));
    const auto half = hn::And(shifted, hn::Set(d, 0xbf80));
    const auto is_nan = hn::Eq(hn::And(half, hn::Set(d, 0x3f80)), hn::Set(d, 0x3f80));
    return hn::Or(half, hn::IfThenElseZero(is_nan, hn::Set(d, 0x7e00)));
  }
  static HWY_INLINE FloatVector rounded(FloatVector value) {
    return HWY_NAMESPACE::rounded<3, 0x38800000>(value);  // 2^-6 scaled
  }
  static HWY_INLINE HalfVector bytes(HalfVector even, HalfVector odd) {
    return hn::Or(hn::ShiftRight<8>(upper_byte(even)), upper_byte(odd));
  }

 private:
  static HWY_INLINE HalfVector upper_byte(HalfVector half) {
    const Lanes<std::uint16_t> d;
    const Lanes<std::int16_t> di;
    const auto magnitude = hn::BitCast(di, hn::And(half, hn::Set(d, 0x7fff)));
    const auto is_nan = hn::RebindMask(d, hn::Gt(magnitude, hn::Set(di, 0x7c00)));
    const auto bounded = hn::BitCast(d, hn::Min(magnitude, hn::Set(di, 0x3f00)));  // 448 scaled
    const auto number = hn::Or(bounded, hn::IfThenElseZero(is_nan, hn::Set(d, 0x3f80)));
    return hn::Or(hn::ShiftLeft<1>(number), hn::And(half, hn::Set(d, 0x8000)));
  }
};

#endif
}  // namespace railgauge::reduce::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // RAILGAUGE_REDUCE_NARROW_VECTORS_INL_HPP
