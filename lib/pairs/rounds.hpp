#pragma once

#include <cstddef>
#include <vector>

#include "pairs/selection.hpp"

namespace railgauge::pairs {

using Round = std::vector<Pair>;

/// The pairs in rounds, in each of which every player is in one pair at most: each goes into the
/// first round in which both its players are free. All pairs in the order of pairs_of() take the
/// fewest rounds there can be; others at most twice as many as the busiest player has pairs, less
/// one (greedy edge colouring).
/// `player_of` has a player for each NIC: itself, or its host where a host may be in one test only.
[[nodiscard]] std::vector<Round> rounds_of(const std::vector<Pair>& pairs,
                                           const std::vector<std::size_t>& player_of);

}  // namespace railgauge::pairs
