// For every target of Highway's once: no pragma once.
#if defined(RAILGAUGE_REDUCE_FLOAT_OPERATORS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef RAILGAUGE_REDUCE_FLOAT_OPERATORS_INL_HPP
#undef RAILGAUGE_REDUCE_FLOAT_OPERATORS_INL_HPP
#else
#define RAILGAUGE_REDUCE_FLOAT_OPERATORS_INL_HPP
#endif

#include <cstdint>

#include <hwy/highway.h>
#include "reduce/operator.hpp"

HWY_BEFORE_NAMESPACE();
namespace railgauge::reduce::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

/// a op b of vectors of float or double. Of avg only the sum: who completes divides.
/// Highway's Min and Max are the processor's, which do not agree about NaN.
template <Operator kOp, class V>
HWY_INLINE V float_combined(V a, V b) {
  if constexpr (kOp == Operator::sum || kOp == Operator::avg) {
    return hn::Add(a, b);
  } else if constexpr (kOp == Operator::prod) {
    return hn::Mul(a, b);
  } else {
    const auto takes_b = kOp == Operator::min ? hn::Lt(b, a) : hn::Lt(a, b);
    return hn::IfThenElse(hn::Or(takes_b, hn::IsNaN(b)), b, a);
  }
}

#endif
}  // namespace railgauge::reduce::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // RAILGAUGE_REDUCE_FLOAT_OPERATORS_INL_HPP
