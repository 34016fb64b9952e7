#include "reduce/reduction.hpp"

namespace railgauge::reduce {
namespace {

Kernel kernel(ElementType type, Operator op) {
  switch (type) {
    case ElementType::float32:
    case ElementType::float64: return float_kernel(type, op);
    case ElementType::float16:
    case ElementType::bfloat16:
    case ElementType::float8_e4m3:
    case ElementType::float8_e5m2: return narrow_float_kernel(type, op);
    case ElementType::int8:
    case ElementType::uint8:
    case ElementType::int32:
    case ElementType::uint32:
    case ElementType::int64:
    case ElementType::uint64: break;
  }
  return integer_kernel(type, op);
}

}  // namespace

Reduction reduction(ElementType type, Operator op, std::uint32_t ranks) {
  const Operator combining = op == Operator::avg ? Operator::sum : op;
  return {kernel(type, combining), kernel(type, op), size_bytes(type), ranks};
}

Reduction no_reduction() {
  const Kernel nothing = [](std::byte*, const std::byte*, const std::byte*, std::size_t,
                            std::uint32_t) noexcept {};
  return {nothing, nothing, 1, 1};
}

}  // namespace railgauge::reduce
