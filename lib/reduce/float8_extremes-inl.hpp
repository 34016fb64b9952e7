// For every target of Highway's once: no pragma once.
#if defined(RAILGAUGE_REDUCE_FLOAT8_EXTREMES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef RAILGAUGE_REDUCE_FLOAT8_EXTREMES_INL_HPP
#undef RAILGAUGE_REDUCE_FLOAT8_EXTREMES_INL_HPP
#else
#define RAILGAUGE_REDUCE_FLOAT8_EXTREMES_INL_HPP
#endif

#include <cstddef>
#include <cstdint>

#include "reduce/float8_tables.hpp"
#include "reduce/loop-inl.hpp"
#include "reduce/operator.hpp"

HWY_BEFORE_NAMESPACE();
namespace railgauge::reduce::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

/// The less or the greater of two 8-bit floats, of equals the first: magnitudes are in the order of
/// their codes.
template <class Tables, Operator kOp>
class Float8Extreme {
 public:
  static constexpr std::size_t kAhead = 0;

  explicit Float8Extreme(std::uint32_t /*ranks*/) {}

  HWY_INLINE ByteVector operator()(ByteVector a, ByteVector b) const {
    const auto left = hn::BitCast(Signed(), a);
    const auto right = hn::BitCast(Signed(), b);
    const auto magnitude_a = magnitude(left);
    const auto magnitude_b = magnitude(right);
    const auto order_a = ordered(left, magnitude_a);
    const auto order_b = ordered(right, magnitude_b);
    const auto takes_b = kOp == Operator::min ? hn::Lt(order_b, order_a) : hn::Lt(order_a, order_b);
    const auto number = bounded(hn::IfThenElse(takes_b, right, left));
    const auto greater = hn::Max(magnitude_a, magnitude_b);
    const auto is_nan = hn::Gt(greater, hn::Set(Signed(), Tables::kLastNumber));
    return hn::BitCast(Bytes(), hn::IfThenElse(is_nan, hn::Set(Signed(), 0x7f), number));
  }

 private:
  using Signed = Lanes<std::int8_t>;
  using SignedVector = hn::Vec<Signed>;

  static HWY_INLINE SignedVector magnitude(SignedVector code) {
    return hn::And(code, hn::Set(Signed(), 0x7f));
  }
  /// Zeros of both signs are the same.
  static HWY_INLINE SignedVector ordered(SignedVector code, SignedVector magnitude) {
    return hn::IfThenElse(hn::Lt(code, hn::Zero(Signed())), hn::Neg(magnitude), magnitude);
  }
  /// An infinity is no result.
  static HWY_INLINE SignedVector bounded(SignedVector code) {
    if constexpr (!Tables::kHasInfinity) return code;
    const Signed d;
    const auto is_infinite = hn::Eq(magnitude(code), hn::Set(d, Tables::kInfinity));
    return hn::Sub(code, hn::IfThenElseZero(is_infinite, hn::Set(d, 1)));
  }
};

#endif
}  // namespace railgauge::reduce::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // RAILGAUGE_REDUCE_FLOAT8_EXTREMES_INL_HPP
