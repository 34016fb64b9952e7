// For every target of Highway's once: no pragma once.
#if defined(RAILGAUGE_REDUCE_NARROW_VECTORS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef RAILGAUGE_REDUCE_NARROW_VECTORS_INL_HPP
#undef RAILGAUGE_REDUCE_NARROW_VECTORS_INL_HPP
#else
#define RAILGAUGE_REDUCE_NARROW_VECTORS_INL_HPP
#endif

#include <cstdint>

#include "reduce/loop-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace railgauge::reduce::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

/// Vectors of binary16, and the two vectors of float that one of them makes.
using HalfVector = hn::Vec<Lanes<std::uint16_t>>;
using FloatLanes = Lanes<float>;
using FloatVector = hn::Vec<FloatLanes>;
using HalvesOfFloats = hn::Rebind<std::uint16_t, FloatLanes>;  // as many as FloatLanes

// Highway 1.0.3 converts in software where the processor does not, and then does not round, nor
// know infinity.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2  // or better

HWY_INLINE FloatVector to_floats(hn::Vec<HalvesOfFloats> halves) {
  return hn::PromoteTo(FloatLanes(), hn::BitCast(hn::Rebind<hwy::float16_t, FloatLanes>(), halves));
}

HWY_INLINE hn::Vec<HalvesOfFloats> to_halves(FloatVector floats) {
  return hn::BitCast(HalvesOfFloats(),
                     hn::DemoteTo(hn::Rebind<hwy::float16_t, FloatLanes>(), floats));
}

#else

/// As NarrowFloat does, but that subnormals are multiplied rather than converted: slow on some
/// processors, none of which lacks the conversion above.
HWY_INLINE FloatVector to_floats(hn::Vec<HalvesOfFloats> halves) {
  const Lanes<std::uint32_t> d;
  const auto word = hn::PromoteTo(d, halves);
  const auto magnitude = hn::ShiftLeft<13>(hn::And(word, hn::Set(d, 0x7fff)));
  const auto sign = hn::ShiftLeft<16>(hn::And(word, hn::Set(d, 0x8000)));
  const auto value = hn::BitCast(
      d, hn::Mul(hn::BitCast(FloatLanes(), magnitude), hn::Set(FloatLanes(), 0x1p112F)));
  const hn::RebindToSigned<decltype(d)> di;
  const auto special =
      hn::RebindMask(d, hn::Gt(hn::BitCast(di, magnitude), hn::Set(di, 0x0f7fffff)));
  const auto all_ones = hn::IfThenElseZero(special, hn::Set(d, 0x7f800000));
  return hn::BitCast(FloatLanes(), hn::Or(sign, hn::Or(value, all_ones)));
}

HWY_INLINE hn::Vec<HalvesOfFloats> to_halves(FloatVector floats) {
  const hn::RebindToSigned<Lanes<std::uint32_t>> d;
  const auto word = hn::BitCast(d, floats);
  const auto magnitude = hn::And(word, hn::Set(d, 0x7fffffff));
  const auto is_nan = hn::Gt(magnitude, hn::Set(d, 0x7f800000));
  const auto bounded = hn::Min(magnitude, hn::Set(d, 0x47800000));  // 65,536
  const auto least = hn::Set(d, 0x38800000);                        // 2^-14
  const auto exponent = hn::Max(hn::And(bounded, hn::Set(d, 0x7f800000)), least);
  const auto power = hn::Add(exponent, hn::Set(d, 13 << 23));
  const auto sum =
      hn::BitCast(d, hn::Add(hn::BitCast(FloatLanes(), power), hn::BitCast(FloatLanes(), bounded)));
  const auto rounded = hn::Add(hn::Sub(sum, power), hn::ShiftRight<13>(hn::Sub(exponent, least)));
  const auto number = hn::IfThenElse(is_nan, hn::Set(d, 0x7e00), rounded);
  const auto sign = hn::And(hn::ShiftRight<16>(word), hn::Set(d, 0x8000));
  return hn::DemoteTo(HalvesOfFloats(), hn::Or(number, sign));
}

#endif

HWY_INLINE FloatVector lower_floats(HalfVector halves) {
  return to_floats(hn::LowerHalf(HalvesOfFloats(), halves));
}

HWY_INLINE FloatVector upper_floats(HalfVector halves) {
  return to_floats(hn::UpperHalf(HalvesOfFloats(), halves));
}

HWY_INLINE HalfVector to_halves(FloatVector lower, FloatVector upper) {
  return hn::Combine(Lanes<std::uint16_t>(), to_halves(upper), to_halves(lower));
}

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

/// Rounds binary16 to its bits from `kFirst` up, of two the even one. What is below is to be
/// dropped.
template <int kFirst>
HWY_INLINE HalfVector rounded_halves(HalfVector halves) {
  const Lanes<std::uint16_t> d;
  const auto last = hn::And(hn::ShiftRight<kFirst>(halves), hn::Set(d, 1));
  return hn::Add(halves, hn::Add(last, hn::Set(d, (1 << (kFirst - 1)) - 1)));
}

/// Of each the upper byte: of even ones below, of odd ones where it is.
HWY_INLINE HalfVector upper_bytes(HalfVector even, HalfVector odd) {
  return hn::OrAnd(hn::ShiftRight<8>(even), odd, hn::Set(Lanes<std::uint16_t>(), 0xff00));
}

/// How bytes of a format become two vectors of binary16, of the even and of the odd bytes, whose
/// floats are computed with, scaled by `kScale`: a power of two. And how they become bytes again.
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
    return upper_bytes(encoded(even), encoded(odd));
  }
  /// NaNs came through as such.
  static HWY_INLINE ByteVector with_nans(ByteVector result, ByteVector /*a*/, ByteVector /*b*/) {
    return result;
  }

 private:
  /// In the upper byte. What is infinite there is beyond the greatest, its predecessor.
  static HWY_INLINE HalfVector encoded(HalfVector half) {
    const Lanes<std::uint16_t> d;
    const auto code = rounded_halves<8>(half);
    const auto infinite = hn::Eq(hn::And(code, hn::Set(d, 0x7f00)), hn::Set(d, 0x7c00));
    return hn::Sub(code, hn::IfThenElseZero(infinite, hn::Set(d, 0x100)));
  }
};

/// An exponent of 4 bits in a field of 5: all is 2^8 times as small, subnormals too. NaN is read as
/// a number, 480, and put in afterwards: without infinities, only a NaN makes one.
struct E4M3Vectors {
  static constexpr float kScale = 0x1p-8F;

  static HWY_INLINE HalfVector even_halves(HalfVector bytes) {
    return odd_halves(hn::ShiftLeft<8>(bytes));
  }
  static HWY_INLINE HalfVector odd_halves(HalfVector bytes) {
    const Lanes<std::uint16_t> d;
    const Lanes<std::int16_t> di;
    const auto shifted = hn::BitCast(d, hn::ShiftRight<1>(hn::BitCast(di, bytes)));
    return hn::And(shifted, hn::Set(d, 0xbf80));
  }
  static HWY_INLINE FloatVector rounded(FloatVector value) {
    return HWY_NAMESPACE::rounded<3, 0x38800000>(value);  // 2^-6 scaled
  }
  static HWY_INLINE HalfVector bytes(HalfVector even, HalfVector odd) {
    return upper_bytes(encoded(even), encoded(odd));
  }
  static HWY_INLINE ByteVector with_nans(ByteVector result, ByteVector a, ByteVector b) {
    const Bytes d;
    const auto sign = hn::Set(d, 0x80);
    const auto all = hn::Set(d, 0xff);
    const auto is_nan = hn::Eq(hn::Max(hn::Or(a, sign), hn::Or(b, sign)), all);
    return hn::IfThenElse(is_nan, all, result);
  }

 private:
  /// In the upper byte.
  static HWY_INLINE HalfVector encoded(HalfVector half) {
    const Lanes<std::uint16_t> d;
    // Without its sign, which is the half's: rounding never takes a number beyond infinity.
    const auto code = hn::ShiftLeft<1>(rounded_halves<7>(half));
    const auto bounded = hn::Min(code, hn::Set(d, 0x7eff));  // 448, and what is dropped below it
    return hn::OrAnd(bounded, half, hn::Set(d, 0x8000));
  }
};

#endif
}  // namespace railgauge::reduce::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // RAILGAUGE_REDUCE_NARROW_VECTORS_INL_HPP
