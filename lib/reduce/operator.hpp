#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace railgauge::reduce {

/// All of them have a meaning for all element types: see definition.hpp.
enum class Operator : std::uint8_t { sum, prod, min, max, avg };

inline constexpr std::array kOperators{Operator::sum, Operator::prod, Operator::min, Operator::max,
                                       Operator::avg};

/// As in nccl-tests' -o.
[[nodiscard]] std::string_view name(Operator op);
[[nodiscard]] std::optional<Operator> reduction_operator(std::string_view name);

}  // namespace railgauge::reduce
