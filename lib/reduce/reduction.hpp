#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "reduce/element_type.hpp"

namespace railgauge::reduce {

/// Named as in nccl-tests' -o.
enum class Operator : std::uint8_t { sum, prod, min, max };

inline constexpr std::array kOperators{Operator::sum, Operator::prod, Operator::min, Operator::max};

[[nodiscard]] std::string_view name(Operator op);
[[nodiscard]] std::optional<Operator> reduction_operator(std::string_view name);

/// out[i] = a[i] op b[i] for `count` elements. `out` may be `a` or `b`, and must not otherwise
/// overlap them. All three are aligned to the element. Integers wrap, as they do in nccl-tests.
using Kernel = void (*)(std::byte* out, const std::byte* a, const std::byte* b,
                        std::size_t count) noexcept;

[[nodiscard]] Kernel kernel(ElementType type, Operator op);

}  // namespace railgauge::reduce
