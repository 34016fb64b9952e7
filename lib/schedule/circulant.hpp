#pragma once

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

// The circulant forms: in round k every rank exchanges with those 2^k before and behind it on a
// circle, and what it holds doubles, but for the last round, which moves what is left. Optimal in
// rounds and in bytes for any number of ranks n; q = ceil(log2 n). A range of blocks that passes
// the end of the circle is two messages.
//
// All-gather: Bruck, Ho, Kipnis, Upfal and Weathersby, "Efficient algorithms for all-to-all
// communications in multiport message-passing systems", IEEE Transactions on Parallel and
// Distributed Systems 8(11), 1997. Without its final rotation: blocks land in their places at once.
// Reduce-scatter is the same backwards in time, and all-reduce the one after the other: Träff,
// "Optimal, non-pipelined reduce-scatter and allreduce algorithms", arXiv 2410.14234, 2024, whose
// distances are ceil(n / 2^k) instead: as many rounds and bytes.
//
//   all-gather       q rounds, n-1 blocks of n sent per rank     (lower bounds q and (n-1)/n)
//   reduce-scatter   q rounds, n-1 blocks of n                   (lower bounds q and (n-1)/n)
//   all-reduce       2q rounds, 2(n-1) blocks of n               (lower bound 2(n-1)/n of the data)
//
// Messages: one a round, and two where a range passes the end. The last rank's does in every round
// of an all-gather, alone or in an all-reduce, that moves more than one block; in a reduce-scatter
// no rank's does twice.
// Depth: max(q-1, 1 + ceil(log2 r)), r = n - 2^(q-1), and twice that for the all-reduce.
// The operator has to be commutative, as all of ours are. All throw std::invalid_argument for no
// ranks.

[[nodiscard]] Schedule circulant_all_gather(Rank ranks);
[[nodiscard]] Schedule circulant_reduce_scatter(Rank ranks);
[[nodiscard]] Schedule circulant_all_reduce(Rank ranks);

}  // namespace railgauge::schedule
