#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reduce/narrow_float_kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include "reduce/definition.hpp"
#include "reduce/float8_vectors-inl.hpp"
#include "reduce/kernel.hpp"
#include "reduce/loop-inl.hpp"
#include "reduce/narrow_vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace railgauge::reduce::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR

Kernel narrow_float_kernel(ElementType type, Operator op) {
  return definition(type, op);
}

#else

template <Operator kOp>
struct FloatStep {
  static constexpr std::size_t kAhead = 2048;

  explicit FloatStep(std::uint32_t ranks) : divisor(static_cast<float>(ranks)) {}

  HWY_INLINE FloatVector operator()(FloatVector a, FloatVector b) const {
    const auto result = float_combined<kOp>(a, b);
    if constexpr (kOp == Operator::avg) return hn::Div(result, hn::Set(FloatLanes(), divisor));
    return result;
  }

  float divisor;
};

template <Operator kOp>
struct Float16Op : FloatStep<kOp> {
  using FloatStep<kOp>::FloatStep;

  HWY_INLINE HalfVector halves(HalfVector a, HalfVector b) const {
    const FloatStep<kOp>& step = *this;
    return to_halves(step(lower_floats(a), lower_floats(b)),
                     step(upper_floats(a), upper_floats(b)));
  }

  HWY_INLINE ByteVector operator()(ByteVector a, ByteVector b) const {
    const Lanes<std::uint16_t> d;
    return hn::BitCast(Bytes(), halves(hn::BitCast(d, a), hn::BitCast(d, b)));
  }
};

/// A bfloat16 is the upper half of a float, so of a pair of them one is a float but for what is
/// below, and the other after a shift.
template <Operator kOp>
struct BFloat16Op : FloatStep<kOp> {
  using FloatStep<kOp>::FloatStep;
  using Words = Lanes<std::uint32_t>;

  HWY_INLINE ByteVector operator()(ByteVector a, ByteVector b) const {
    const FloatStep<kOp>& step = *this;
    const auto even = rounded(step(even_floats(a), even_floats(b)));
    const auto odd = rounded(step(odd_floats(a), odd_floats(b)));
    const auto upper = hn::And(odd, hn::Set(Words(), 0xffff0000));
    return hn::BitCast(Bytes(), hn::Or(hn::ShiftRight<16>(even), upper));
  }

 private:
  static HWY_INLINE FloatVector even_floats(ByteVector pairs) {
    return hn::BitCast(FloatLanes(), hn::ShiftLeft<16>(hn::BitCast(Words(), pairs)));
  }
  static HWY_INLINE FloatVector odd_floats(ByteVector pairs) {
    const auto upper = hn::And(hn::BitCast(Words(), pairs), hn::Set(Words(), 0xffff0000));
    return hn::BitCast(FloatLanes(), upper);
  }
  /// Its upper half is the result: see BFloat16.
  static HWY_INLINE hn::Vec<Words> rounded(FloatVector value) {
    const Words d;
    const auto word = hn::BitCast(d, value);
    const auto last = hn::And(hn::ShiftRight<16>(word), hn::Set(d, 1));
    const auto number = hn::Add(hn::Add(word, hn::Set(d, 0x7fff)), last);
    const auto nan = hn::RebindMask(d, is_nan(value));
    return hn::IfThenElse(nan, hn::Or(word, hn::Set(d, 0x00400000)), number);
  }
};

template <class Format, Operator kOp>
struct Float8Op : FloatStep<kOp> {
  using FloatStep<kOp>::FloatStep;

  HWY_INLINE ByteVector operator()(ByteVector a, ByteVector b) const {
    const Lanes<std::uint16_t> d;
    const auto pairs_a = hn::BitCast(d, a);
    const auto pairs_b = hn::BitCast(d, b);
    const auto even = halves(Format::even_halves(pairs_a), Format::even_halves(pairs_b));
    const auto odd = halves(Format::odd_halves(pairs_a), Format::odd_halves(pairs_b));
    return Format::with_nans(hn::BitCast(Bytes(), Format::bytes(even, odd)), a, b);
  }

 private:
  /// A result is rounded to binary16, and that to 8 bits. This is as good as rounding once, but for
  /// averages: it would go wrong where the first step makes a tie of what is none. Products have 8
  /// bits at the most, and a sum that needs more than binary16's 11 has a term that is so much
  /// smaller than the other that the sum is nowhere near a tie. The tests try all pairs.
  HWY_INLINE HalfVector halves(HalfVector a, HalfVector b) const {
    const auto lower = scaled(lower_floats(a), lower_floats(b));
    const auto upper = scaled(upper_floats(a), upper_floats(b));
    if constexpr (kOp != Operator::avg) return to_halves(lower, upper);
    return to_halves(Format::rounded(lower), Format::rounded(upper));
  }
  /// A product of scaled numbers is scaled twice.
  HWY_INLINE FloatVector scaled(FloatVector a, FloatVector b) const {
    const FloatStep<kOp>& step = *this;
    const auto result = step(a, b);
    if constexpr (kOp != Operator::prod || Format::kScale == 1) return result;
    return hn::Mul(result, hn::Set(FloatLanes(), 1 / Format::kScale));
  }
};

template <class Tables, class Vectors, Operator kOp>
Kernel float8_kernel() {
  if constexpr (kOp == Operator::min || kOp == Operator::max) {
    return combine<1, Float8Extreme<Tables, kOp>>;
#if RAILGAUGE_LOOKS_UP_FLOAT8
  } else if constexpr (kOp == Operator::sum) {
    return combine<1, Float8Sum<Tables>>;
#endif
  } else {
    return combine<1, Float8Op<Vectors, kOp>>;
  }
}

template <Operator kOp>
Kernel kernel_of(ElementType type) {
  switch (type) {
    case ElementType::float16: return combine<2, Float16Op<kOp>>;
    case ElementType::bfloat16: return combine<2, BFloat16Op<kOp>>;
    case ElementType::float8_e4m3: return float8_kernel<E4M3Tables, E4M3Vectors, kOp>();
    default: return float8_kernel<E5M2Tables, E5M2Vectors, kOp>();
  }
}

Kernel narrow_float_kernel(ElementType type, Operator op) {
  return visit(op, [&]<Operator kOp>() { return kernel_of<kOp>(type); });
}

#endif

}  // namespace
}  // namespace railgauge::reduce::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace railgauge::reduce {

HWY_EXPORT(narrow_float_kernel);

Kernel narrow_float_kernel(ElementType type, Operator op) {
  return HWY_DYNAMIC_DISPATCH(narrow_float_kernel)(type, op);
}

}  // namespace railgauge::reduce
#endif
