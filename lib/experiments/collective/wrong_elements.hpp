#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "experiments/collective/collective_session.hpp"
#include "finding/finding.hpp"
#include "schedule/schedule.hpp"

namespace railgauge::runner {

/// The first element of a block that one verification found wrong on one rank.
struct WrongBlock {
  std::uint64_t verification = 0;  // counted alike on all ranks
  schedule::Block block = 0;       // of the whole output
  std::uint64_t element = 0;       // of the whole output
  schedule::Block carried = 0;  // the block as which the schedule moves that element: of its stripe
  int plane = -1;               // number of the plane by which it came last; -1: by none
};

/// Collective: which connection changed data on its way, if what all ranks found wrong leaves one,
/// or few: schedule/suspects.hpp says how. Empty if it does not, or of more than kMostTraced ranks.
/// `schedule` is of a group; of several the one with most wrong elements is told.
[[nodiscard]] std::optional<finding::Finding> trace_wrong_data(CollectiveSession& session,
                                                               const schedule::Schedule& schedule,
                                                               const std::vector<WrongBlock>& own,
                                                               const Planes& planes);

inline constexpr transport::Rank kMostTraced = 64;

/// Adds a finding to those of the rows before, unless one of them names the same connection, or
/// fewer, from which it starts; in the place of one that names more.
void keep_closest(std::vector<finding::Finding>& findings, const finding::Finding& found);

}  // namespace railgauge::runner
