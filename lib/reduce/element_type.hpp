#pragma once

// lib/reduce holds element types, operators and the kernels that combine two vectors.
// It must not know where the vectors come from: no schedules, wires or threads.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "reduce/narrow_float.hpp"

namespace railgauge::reduce {

/// In the order of nccl-tests.
enum class ElementType : std::uint8_t {
  int8,
  uint8,
  int32,
  uint32,
  int64,
  uint64,
  float16,
  float32,
  float64,
  bfloat16,
  float8_e4m3,
  float8_e5m2
};

inline constexpr std::array kElementTypes{
    ElementType::int8,     ElementType::uint8,       ElementType::int32,
    ElementType::uint32,   ElementType::int64,       ElementType::uint64,
    ElementType::float16,  ElementType::float32,     ElementType::float64,
    ElementType::bfloat16, ElementType::float8_e4m3, ElementType::float8_e5m2};

/// As in nccl-tests' -d: "int8", ..., "half", "float", "double", "bfloat16", "f8e4m3", "f8e5m2".
[[nodiscard]] std::string_view name(ElementType type);
[[nodiscard]] std::optional<ElementType> element_type(std::string_view name);
[[nodiscard]] std::size_t size_bytes(ElementType type);

/// Calls `action` with a value of the C++ type: `visit(type, [&]<class T>(T) { ... })`. The narrow
/// floats are types that only convert from and to float.
template <class Action>
decltype(auto) visit(ElementType type, Action&& action) {
  switch (type) {
    case ElementType::int8: return action(std::int8_t{});
    case ElementType::uint8: return action(std::uint8_t{});
    case ElementType::int32: return action(std::int32_t{});
    case ElementType::uint32: return action(std::uint32_t{});
    case ElementType::int64: return action(std::int64_t{});
    case ElementType::uint64: return action(std::uint64_t{});
    case ElementType::float16: return action(Float16{});
    case ElementType::float32: return action(float{});
    case ElementType::float64: return action(double{});
    case ElementType::bfloat16: return action(BFloat16{});
    case ElementType::float8_e4m3: return action(Float8E4M3{});
    case ElementType::float8_e5m2: break;
  }
  return action(Float8E5M2{});
}

/// Each is defined for all element types: see definition.hpp.
enum class Operator : std::uint8_t { sum, prod, min, max, avg };

inline constexpr std::array kOperators{Operator::sum, Operator::prod, Operator::min, Operator::max,
                                       Operator::avg};

/// Calls `action` with the operator: `visit(op, [&]<Operator kOp>() { ... })`.
template <class Action>
decltype(auto) visit(Operator op, Action&& action) {
  switch (op) {
    case Operator::sum: return action.template operator()<Operator::sum>();
    case Operator::prod: return action.template operator()<Operator::prod>();
    case Operator::min: return action.template operator()<Operator::min>();
    case Operator::max: return action.template operator()<Operator::max>();
    case Operator::avg: break;
  }
  return action.template operator()<Operator::avg>();
}

/// As in nccl-tests' -o.
[[nodiscard]] std::string_view name(Operator op);
[[nodiscard]] std::optional<Operator> reduction_operator(std::string_view name);

}  // namespace railgauge::reduce
