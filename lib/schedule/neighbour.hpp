#pragma once

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

// To the next rank only.

// All-to-all round a ring: every rank sends all it has to rank + 1, which keeps what is its own and
// passes the rest on with the next round. Uses the links between neighbours and no others.
//
// The total exchange on a ring of Bertsekas and Tsitsiklis, "Parallel and Distributed Computation:
// Numerical Methods", 1989, section 1.3; in one direction.
//
//   n-1 rounds, depth n-1; n(n-1)/2 blocks sent per rank (lower bound n-1, or in a ring of one
//   direction these); one message a round for what has arrived and one for what has not, and in the
//   first round two of those that pass the end of the input
//
[[nodiscard]] Schedule neighbour_all_to_all(Rank ranks);

// The shift: every rank sends its data to rank + 1. What nccl-tests calls sendrecv.
//
//   1 round, 1 message, the data once
//
[[nodiscard]] Schedule neighbour_shift(Rank ranks);

// Both throw std::invalid_argument for no ranks.

}  // namespace railgauge::schedule
