#include "reduce/definition.hpp"

namespace railgauge::reduce {
namespace {

template <class T, Operator kOp>
void combine(std::byte* out, const std::byte* a, const std::byte* b, std::size_t count,
             std::uint32_t ranks) noexcept {
  auto* to = reinterpret_cast<T*>(out);
  const auto* left = reinterpret_cast<const T*>(a);
  const auto* right = reinterpret_cast<const T*>(b);
  for (std::size_t i = 0; i < count; ++i) to[i] = combined(kOp, left[i], right[i], ranks);
}

template <Operator kOp>
Kernel kernel_of(ElementType type) {
  return visit(type, []<class T>(T) -> Kernel { return combine<T, kOp>; });
}

}  // namespace

Kernel definition(ElementType type, Operator op) {
  return visit(op, [&]<Operator kOp>() { return kernel_of<kOp>(type); });
}

}  // namespace railgauge::reduce
