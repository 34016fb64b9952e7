#pragma once

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

// The ring: every rank sends to rank + 1 and takes from rank - 1, one block a step. Optimal in
// bytes for any number of ranks n, linear in rounds.
//
// Patarasu and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations",
// Journal of Parallel and Distributed Computing 69(2), 2009.
//
//   reduce-scatter   n-1 rounds, n-1 blocks of n sent per rank   (lower bound (n-1)/n of the data)
//   all-gather       n-1 rounds, n-1 blocks of n                 (lower bound (n-1)/n)
//   all-reduce       2(n-1) rounds, 2(n-1) blocks of n           (lower bound 2(n-1)/n)
//
// One message a round. Rounds: the lower bound is ceil(log2 n), or twice that for the all-reduce at
// this volume. All throw std::invalid_argument for no ranks.

[[nodiscard]] Schedule ring_reduce_scatter(Rank ranks);
[[nodiscard]] Schedule ring_all_gather(Rank ranks);
[[nodiscard]] Schedule ring_all_reduce(Rank ranks);

}  // namespace railgauge::schedule
