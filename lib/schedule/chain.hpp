#pragma once

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

// The chain: the ranks stand in a line from the root on, and each talks to its neighbours alone. A
// runner that cuts the data into pieces keeps all links of it busy at once, so that long data take
// hardly more than the time of one link: n-2 pieces more.
//
// Chan, Heimlich, Purkayastha and van de Geijn, "Collective communication: theory, practice, and
// experience", Concurrency and Computation 19(13), 2007, section 7 (there as pipelined).
//
//   broadcast   n-1 rounds, each rank but the last sends the data once   (lower bounds q and 1)
//   reduce      n-1 rounds, each rank but the root sends the data once   (lower bounds q and 1)
//
// with q = ceil(log2 n). Throw std::invalid_argument for a root that is none of the ranks.

[[nodiscard]] Schedule chain_broadcast(Rank ranks, Rank root);
[[nodiscard]] Schedule chain_reduce(Rank ranks, Rank root);

}  // namespace railgauge::schedule
