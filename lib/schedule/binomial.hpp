#pragma once

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

// The binomial tree: the rank at place v, counted from the root, is the parent of v + d for every
// power of two d below v's lowest set bit. Whoever has the data hands them on in every round, so
// the number of those who have them doubles.
//
// Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH",
// International Journal of High Performance Computing Applications 19(1), 2005.
//
// With q = ceil(log2 n), which is the lower bound of rounds, and d = floor(log2 n):
//
//   broadcast   q rounds, depth d; the root sends the data q times   (lower bound 1)
//   reduce      q rounds, depth d; the root takes the data q times   (lower bound 1)
//   scatter     q rounds, depth d; the root sends n-1 blocks         (lower bound n-1)
//   gather      q rounds, depth d; the root takes n-1 blocks         (lower bound n-1)
//   all-gather  2q rounds, depth 2d: gather, then broadcast of all n blocks: rank 0 sends qn blocks
//               (lower bounds q and n-1). Where messages cost more than bytes: n-1 of them in the
//               first half and in the second, in all.
//
// Throw std::invalid_argument for a root that is none of the ranks.

[[nodiscard]] Schedule binomial_broadcast(Rank ranks, Rank root);
[[nodiscard]] Schedule binomial_reduce(Rank ranks, Rank root);
[[nodiscard]] Schedule binomial_scatter(Rank ranks, Rank root);
[[nodiscard]] Schedule binomial_gather(Rank ranks, Rank root);
[[nodiscard]] Schedule binomial_all_gather(Rank ranks);

}  // namespace railgauge::schedule
