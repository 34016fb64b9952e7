#pragma once

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

// All-reduce in as few rounds as there can be: in every round each rank exchanges all of its data
// with the one whose number differs in one bit. For small data, where rounds are all that counts.
//
// Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH",
// International Journal of High Performance Computing Applications 19(1), 2005, section 8.
//
// Of n ranks that are no power of two the first 2r are pairs, r = n - 2^q with q = floor(log2 n):
// one of a pair gives its data to the other, which takes part for both, and gets the result back.
//
//   q rounds, q times the data sent (lower bounds ceil(log2 n) and 2(n-1)/n); else q+2 rounds, and
//   the busiest sends the data q+1 times. Depth q; else max(q+1, 2 + ceil(log2 r)).
//
// What a rank has after a round is another block than before, so that nobody waits until what was
// sent has left. Throws std::invalid_argument for no ranks.

[[nodiscard]] Schedule recursive_doubling_all_reduce(Rank ranks);

}  // namespace railgauge::schedule
