#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reachability/matrix.hpp"
#include "results/pairs.hpp"

namespace railgauge::pairs {

/// As many lines and columns as fit on a screen.
inline constexpr std::size_t kMostOnMap = 64;

/// The ways of one mode for lib/reachability's heat maps and pictures, whose speeds are relative to
/// the median of those that they are compared with (medians.hpp). More than `most` NICs are shown
/// by host, each pair of hosts by its worst way, and of more hosts those with the worst ways, worst
/// first. Empty: there are no rows of that mode.
[[nodiscard]] std::optional<reachability::Matrix> map_of(const std::vector<results::PairRow>& rows,
                                                         const std::string& mode,
                                                         std::size_t most = kMostOnMap);

/// The modes in which there are rows, in the order of their first.
[[nodiscard]] std::vector<std::string> modes_of(const std::vector<results::PairRow>& rows);

/// The rows that are shown first: failed, then in doubt, then slowest; so many at most.
[[nodiscard]] std::vector<const results::PairRow*> worst_of(
    const std::vector<results::PairRow>& rows, std::size_t most);

}  // namespace railgauge::pairs
