#pragma once

#include <span>
#include <vector>

#include "results/rank_load.hpp"

namespace railgauge::diagnosis {

/// A rank that did not get a processor when it needed one, unlike the others.
struct StarvedRank {
  int rank = 0;
  double share = 0;         ///< of the time
  double others_share = 0;  ///< the median of the other ranks
  bool stopped = false;     ///< not queued for a processor, but stopped or throttled
};

/// `rows`: of every row, [rank].
[[nodiscard]] std::vector<StarvedRank> find_starved_ranks(
    std::span<const std::vector<results::RankLoad>> rows);

}  // namespace railgauge::diagnosis
