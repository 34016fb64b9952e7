#pragma once

// lib/reduce holds element types, operators and the kernels that combine two vectors.
// It must not know where the vectors come from: no ranks, schedules, wires or threads.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace railgauge::reduce {

/// Named as in nccl-tests' -d.
enum class ElementType : std::uint8_t {
  int8,
  uint8,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64
};

inline constexpr std::array kElementTypes{
    ElementType::int8,  ElementType::uint8,  ElementType::int32,   ElementType::uint32,
    ElementType::int64, ElementType::uint64, ElementType::float32, ElementType::float64};

/// "int8", ..., "float", "double".
[[nodiscard]] std::string_view name(ElementType type);
[[nodiscard]] std::optional<ElementType> element_type(std::string_view name);
[[nodiscard]] std::size_t size_bytes(ElementType type);

/// Calls `action` with a value of the C++ type: `visit(type, [&]<class T>(T) { ... })`.
template <class Action>
decltype(auto) visit(ElementType type, Action&& action) {
  switch (type) {
    case ElementType::int8: return action(std::int8_t{});
    case ElementType::uint8: return action(std::uint8_t{});
    case ElementType::int32: return action(std::int32_t{});
    case ElementType::uint32: return action(std::uint32_t{});
    case ElementType::int64: return action(std::int64_t{});
    case ElementType::uint64: return action(std::uint64_t{});
    case ElementType::float32: return action(float{});
    case ElementType::float64: break;
  }
  return action(double{});
}

}  // namespace railgauge::reduce
