#pragma once

#include <cstdint>

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

/// What no algorithm can beat, for the busiest rank that sends or receives one message at a
/// time (Chan, Heimlich, Purkayastha and van de Geijn, "Collective communication: theory, practice,
/// and experience", Concurrency and Computation 19(13), 2007, table 1; for all-to-all Bruck et al.
/// 1997).
struct Bounds {
  /// ceil(log2 n), since the ranks that a word has reached can only double; of sendrecv 1.
  std::uint64_t rounds = 0;
  double data = 0;  // sent or received, whichever is more, in times a rank's data
};

[[nodiscard]] Bounds lower_bounds(Collective collective, Rank ranks);

/// What a schedule's busiest rank sends or receives, whichever is more, in times a rank's data.
[[nodiscard]] double data_moved(const Schedule& schedule);

}  // namespace railgauge::schedule
