#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "reduce/element_type.hpp"
#include "reduce/kernel.hpp"

namespace railgauge::reduce {

/// What an element is computed as. Integers are unsigned and at least 32 bits wide: signed
/// overflow, and the promotion of small types to int, are undefined otherwise. Narrow floats are
/// floats, and rounded once, at the end.
template <class T>
auto widened(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return value;
  } else if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return std::common_type_t<Unsigned, std::uint32_t>{static_cast<Unsigned>(value)};
  } else {
    return static_cast<float>(value);
  }
}

template <class T>
bool is_nan(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
  return false;
}

/// NaN if either is: NCCL prefers the number, but here a NaN is a fault that has to show in the
/// result. Of equals it is `a`, of zeros with different signs too.
template <class T>
T smaller(T a, T b) {
  return b < a || is_nan(b) ? b : a;
}
template <class T>
T greater(T a, T b) {
  return a < b || is_nan(b) ? b : a;
}

/// Integers are divided as integers, in their own type, towards zero: so does NCCL, after a sum
/// that may have wrapped. Floats are divided, where NCCL multiplies every input by 1 / ranks.
template <class T, class Wide>
T divided(Wide sum, std::uint32_t ranks) {
  if constexpr (!std::is_integral_v<T>) {
    return static_cast<T>(sum / static_cast<Wide>(ranks));
  } else if constexpr (sizeof(T) < sizeof(std::int64_t) || std::is_signed_v<T>) {
    return static_cast<T>(std::int64_t{static_cast<T>(sum)} / std::int64_t{ranks});
  } else {
    return sum / ranks;
  }
}

/// a op b: what all kernels compute, to the bit, except for a NaN's payload. For avg it is the sum
/// divided by `ranks`. Integers wrap, as they do in nccl-tests.
template <class T>
T combined(Operator op, T a, T b, std::uint32_t ranks) {
  const auto wide_a = widened(a);
  const auto wide_b = widened(b);
  switch (op) {
    case Operator::sum: return static_cast<T>(wide_a + wide_b);
    case Operator::prod: return static_cast<T>(wide_a * wide_b);
    case Operator::avg: return divided<T>(wide_a + wide_b, ranks);
    case Operator::min:
      if constexpr (std::is_integral_v<T>) return smaller(a, b);
      return static_cast<T>(smaller(wide_a, wide_b));
    case Operator::max: break;
  }
  if constexpr (std::is_integral_v<T>) return greater(a, b);
  return static_cast<T>(greater(wide_a, wide_b));
}

/// Plain loops over `combined`: the reference that other kernels are tested and timed against.
[[nodiscard]] Kernel definition(ElementType type, Operator op);

}  // namespace railgauge::reduce
