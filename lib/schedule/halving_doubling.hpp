#pragma once

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

// Halving and doubling: in every round each rank exchanges with the one whose number differs in one
// bit, and what they exchange halves (reduce-scatter) or doubles (all-gather). Optimal in rounds
// and in bytes, for n = 2^q ranks.
//
// Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH",
// International Journal of High Performance Computing Applications 19(1), 2005; Rabenseifner,
// "Optimization of collective reduction operations", ICCS 2004.
//
//   reduce-scatter   q rounds, n-1 blocks of n sent per rank     (lower bounds q and (n-1)/n)
//   all-gather       q rounds, n-1 blocks of n                   (lower bounds q and (n-1)/n)
//   all-reduce       2q rounds, 2(n-1) blocks of n               (lower bound 2(n-1)/n of the data)
//
// One message a round. The first two begin with the farthest rank, so that a rank's own block is
// that of its number. The all-reduce does not need that and begins with the nearest ("vector
// halving, distance doubling"): half of the data goes to the next rank, and only 1/n of it to the
// one that is n/2 away, which spares the upper tiers of an oversubscribed fabric.
//
// These throw std::invalid_argument unless the number of ranks is a power of two.

[[nodiscard]] Schedule halving_reduce_scatter(Rank ranks);
[[nodiscard]] Schedule doubling_all_gather(Rank ranks);
[[nodiscard]] Schedule halving_doubling_all_reduce(Rank ranks);

// Any number of ranks by the classical fold: with p = 2^q the largest power of two in n and r = n-p
// of r > 0, the first 2r ranks are r pairs. The even one gives all its data to the odd one, which
// takes part for both, and gets the result back.
//
//   all-reduce       2q+2 rounds; the busiest sends 2q+1 messages, 2(p-1)+p blocks of p: up to
//                    twice the lower bound. The circulant form (circulant.hpp) needs neither.
//
// Throws std::invalid_argument for no ranks.

[[nodiscard]] Schedule folded_all_reduce(Rank ranks);

}  // namespace railgauge::schedule
