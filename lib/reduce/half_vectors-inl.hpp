// For every target of Highway's once: no pragma once.
#if defined(RAILGAUGE_REDUCE_HALF_VECTORS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef RAILGAUGE_REDUCE_HALF_VECTORS_INL_HPP
#undef RAILGAUGE_REDUCE_HALF_VECTORS_INL_HPP
#else
#define RAILGAUGE_REDUCE_HALF_VECTORS_INL_HPP
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

#endif
}  // namespace railgauge::reduce::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // RAILGAUGE_REDUCE_HALF_VECTORS_INL_HPP
