#pragma once

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

/// What no algorithm can do better than, for the busiest rank that sends or takes one message at a
/// time (Chan, Heimlich, Purkayastha and van de Geijn, "Collective communication: theory, practice,
/// and experience", Concurrency and Computation 19(13), 2007, table 1; for all-to-all Bruck et al.
/// 1997).
struct Bounds {
  std::uint64_t rounds =
      0;            // ceil(log2 n), since whom one word has reached can but double; sendrecv 1
  double data = 0;  // sent or taken, whichever is more, in times a rank's data
};

[[nodiscard]] Bounds lower_bounds(Collective collective, Rank ranks);

/// What a schedule's busiest rank sends or takes, whichever is more, in times a rank's data.
[[nodiscard]] double data_moved(const Schedule& schedule);

}  // namespace railgauge::schedule
