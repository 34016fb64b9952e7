#pragma once

#include <span>
#include <string_view>

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

/// An algorithm by the name that users call it by.
struct Algorithm {
  std::string_view name;
  Collective collective = Collective::all_reduce;
  Schedule (*make)(Rank ranks) = nullptr;  ///< for any number of ranks from 1 on
};

/// All there are. "halving-doubling" is the circulant form where the number of ranks is no power of
/// two, and its schedule then says so.
[[nodiscard]] std::span<const Algorithm> algorithms();

/// Null if the collective has none of that name.
[[nodiscard]] const Algorithm* find_algorithm(Collective collective, std::string_view name);

}  // namespace railgauge::schedule
