#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pairs/selection.hpp"

namespace railgauge::pairs {

using Round = std::vector<Pair>;

/// A round robin, in which each of `players` meets every other once, one at a time: in one round
/// fewer than there are players, or in as many if their number is odd, and then one rests in each.
/// No schedule has fewer. None for a single player.
///
/// The circle method for tournaments (T. P. Kirkman, On a problem in combinations, 1847; E. Lucas,
/// Récréations mathématiques II, 1883): all players but one stand in a circle, and in round r those
/// meet who stand as far before r as behind it; r meets the one outside, or rests if there is none.
/// NVIDIA's ClusterKit tests pairs of hosts so.
[[nodiscard]] std::vector<Round> round_robin(std::size_t players);

/// The pairs in rounds, in each of which every player is in one pair at most: each goes into the
/// first round in which both its players are free. All pairs in the order of pairs_of() take the
/// fewest rounds there can be; others at most twice as many as the busiest player has pairs, less
/// one (greedy edge colouring).
/// `player_of` has a player for each NIC: itself, or its host where a host may be in one test only.
[[nodiscard]] std::vector<Round> rounds_of(const std::vector<Pair>& pairs,
                                           const std::vector<std::size_t>& player_of);

/// The links from switch to switch that a test is known to pass.
using Links = std::set<std::pair<std::string, std::string>>;

/// Tests, by their places, in groups of which no two have a link in common: each in the first group
/// that it fits into.
[[nodiscard]] std::vector<std::vector<std::size_t>> groups_apart(
    const std::vector<Links>& links_of);

}  // namespace railgauge::pairs
