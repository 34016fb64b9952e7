#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

/// An algorithm by the name that users call it by.
struct Algorithm {
  std::string_view name;
  Collective collective = Collective::all_reduce;
  std::string_view about;  // when to use it, in a line
  /// For any number of ranks from 1 on. Throws std::invalid_argument for a team that it cannot
  /// serve: a root that is none of the ranks; for hierarchical ones, hosts with different numbers
  /// of ranks.
  Schedule (*make)(const Team& team) = nullptr;
};

/// All there are; those of a collective stand together, its default first.
[[nodiscard]] std::span<const Algorithm> algorithms();
[[nodiscard]] std::span<const Algorithm> algorithms(Collective collective);

/// Null if the collective has none of that name.
[[nodiscard]] const Algorithm* find_algorithm(Collective collective, std::string_view name);

/// "ring, tree, halving-doubling": for messages.
[[nodiscard]] std::string algorithm_names(Collective collective);

}  // namespace railgauge::schedule
