#pragma once

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

/// The cost found by going through every op of every rank. Takes ranks x steps calls of the rule,
/// and 4 bytes for every block of every rank.
[[nodiscard]] Cost counted(const Schedule& schedule);

/// What one rank sends in all, counted from its ops; without the depth, which takes all of them.
[[nodiscard]] Cost counted(const Schedule& schedule, Rank rank);

}  // namespace railgauge::schedule
