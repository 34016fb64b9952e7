#pragma once

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

// The barrier in which word spreads: in round k every rank tells the one 2^k after it all it knows.
// After q = ceil(log2 n) rounds everybody knows of everybody, of some more than once.
//
// Hensgen, Finkel and Manber, "Two algorithms for barrier synchronization", International Journal
// of Parallel Programming 17(1), 1988.
//
//   q rounds, depth q (lower bound q), q messages of one block per rank
//
// What is told is combined into a copy of what is known, because a step may not write what it
// sends. The operator has to be one that does not mind being given the same twice: max, min.
//
// Throws std::invalid_argument for no ranks.

[[nodiscard]] Schedule dissemination_barrier(Rank ranks);

}  // namespace railgauge::schedule
