#include "reduce/reduction.hpp"

#include <algorithm>
#include <type_traits>

namespace railgauge::reduce {
namespace {

/// Integers are combined unsigned and at least 32 bits wide: signed overflow, and the promotion of
/// small types to int, are undefined otherwise.
template <class T>
auto widened(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return value;
  } else {
    using Unsigned = std::make_unsigned_t<T>;
    return std::common_type_t<Unsigned, std::uint32_t>{static_cast<Unsigned>(value)};
  }
}

struct Sum {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(widened(a) + widened(b));
  }
};
struct Prod {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(widened(a) * widened(b));
  }
};
struct Min {
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Max {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};

template <class T, class Op>
void combine(std::byte* out, const std::byte* a, const std::byte* b, std::size_t count) noexcept {
  auto* to = reinterpret_cast<T*>(out);
  const auto* left = reinterpret_cast<const T*>(a);
  const auto* right = reinterpret_cast<const T*>(b);
  for (std::size_t i = 0; i < count; ++i) to[i] = Op{}(left[i], right[i]);
}

template <class Op>
Kernel kernel_of(ElementType type) {
  return visit(type, []<class T>(T) -> Kernel { return combine<T, Op>; });
}

}  // namespace

std::string_view name(Operator op) {
  switch (op) {
    case Operator::sum: return "sum";
    case Operator::prod: return "prod";
    case Operator::min: return "min";
    case Operator::max: return "max";
  }
  return "unknown";
}

std::optional<Operator> reduction_operator(std::string_view wanted) {
  for (const Operator op : kOperators) {
    if (name(op) == wanted) return op;
  }
  return std::nullopt;
}

Kernel kernel(ElementType type, Operator op) {
  switch (op) {
    case Operator::sum: return kernel_of<Sum>(type);
    case Operator::prod: return kernel_of<Prod>(type);
    case Operator::min: return kernel_of<Min>(type);
    case Operator::max: break;
  }
  return kernel_of<Max>(type);
}

}  // namespace railgauge::reduce
