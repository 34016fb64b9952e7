#pragma once

#include <cstdint>
#include <vector>

#include "schedule/op.hpp"
#include "workload/expression.hpp"
#include "workload/workload.hpp"

namespace railgauge::workload {

using schedule::Rank;

/// A group of a workload, of the ranks that there are: its instances, disjoint, in the order of
/// their first ranks. Not all ranks need be in one, nor all instances of one size.
struct Membership {
  struct Place {
    std::uint32_t instance = kNone;
    Rank number = 0;  // in the instance
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::vector<std::vector<Rank>> instances{};
  std::vector<Place> places{};  // [rank]
};

/// Throws std::invalid_argument, with the field, for ranks that the rule does not fit. `scope` has
/// the parameters.
[[nodiscard]] Membership membership_of(const Workload& workload, std::size_t group, Rank ranks,
                                       Scope& scope);

/// `evaluate` of an expression of a workload, from `least` on; errors name the field.
[[nodiscard]] std::int64_t value_of(const Workload& workload, const Expression& expression,
                                    const std::string& field, const Scope& scope,
                                    std::int64_t least);

}  // namespace railgauge::workload
