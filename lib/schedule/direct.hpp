#pragma once

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

// Everybody at once: each rank talks to the root itself. One message deep, and as many bytes
// through the root's link as the binomial tree; but n-1 messages at the root, where the tree has
// ceil(log2 n).
//
//   gather    1 round, every rank sends 1 block to the root     (lower bound: n-1 blocks taken)
//   scatter   1 round, the root sends n-1 blocks                (lower bound: n-1 blocks sent)
//
// What Open MPI calls the linear algorithm (ompi/mca/coll/base/coll_base_gather.c).
//
// Throw std::invalid_argument for a root that is none of the ranks.

[[nodiscard]] Schedule direct_gather(Rank ranks, Rank root);
[[nodiscard]] Schedule direct_scatter(Rank ranks, Rank root);

}  // namespace railgauge::schedule
