#pragma once

#include <span>
#include <vector>

#include "finding/finding.hpp"
#include "results/collective.hpp"
#include "results/rank_load.hpp"

namespace railgauge::diagnosis {

/// A rank that was late because of its processor.
struct LateRank {
  int rank = 0;
  finding::Evidence evidence{};
  bool stopped = false;  ///< or throttled, and not queued for a processor
};

/// Ranks that did not get a processor when they needed one, unlike the others. `rows`: of every
/// row, [rank].
[[nodiscard]] std::vector<LateRank> find_starved_ranks(
    std::span<const std::vector<results::RankLoad>> rows);

/// Ranks that were stopped once, while the others waited for them: of each rank the longest stop,
/// if it is long and made an iteration of its row as long.
[[nodiscard]] std::vector<LateRank> find_stopped_ranks(
    const std::vector<results::CollectiveRow>& rows);

/// Ranks that take longer themselves than others do, whatever they wait for: those that
/// measure::find_straggler() names nearly always, and those that run nearly always while the others
/// sleep. Where all ranks have as much to do: of trees, and of collectives with a root, nobody is
/// named.
[[nodiscard]] std::vector<LateRank> find_slow_ranks(
    const std::vector<results::CollectiveRow>& rows);

}  // namespace railgauge::diagnosis
