#pragma once

#include <span>
#include <vector>

#include "results/collective.hpp"
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

/// A rank that stood still once, while the others waited for it.
struct StoppedRank {
  int rank = 0;
  double stopped_us = 0;
  const results::CollectiveRow* row = nullptr;  ///< in which it did
};

/// Of each rank the longest stop, if it is long and made an iteration of its row as long. The rows
/// have to outlive it.
[[nodiscard]] std::vector<StoppedRank> find_stopped_ranks(
    const std::vector<results::CollectiveRow>& rows);

/// A rank that takes longer itself than others do, whatever it waits for.
struct SlowRank {
  int rank = 0;
  double times = 1;  ///< what others take, the median over measurements
  std::size_t measurements = 0;
  std::size_t of_measurements = 0;
};

/// Ranks that measure::find_straggler() names nearly always, where all ranks have as much to do: of
/// trees, and of collectives with a root, nobody is named.
[[nodiscard]] std::vector<SlowRank> find_slow_ranks(
    const std::vector<results::CollectiveRow>& rows);

}  // namespace railgauge::diagnosis
