#pragma once

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

// Broadcast as a scatter and an all-gather, and reduce as a reduce-scatter and a gather: no rank
// sends or takes more than twice the data, where the binomial tree's root has q times as many. The
// halves are binomial (scatter, gather) and circulant (all-gather, reduce-scatter).
//
// Barnett, Shuler, van de Geijn, Gupta, Payne and Watts, "Interprocessor collective communication
// library (InterCom)", Scalable High-Performance Computing Conference, 1994; Thakur, Rabenseifner
// and Gropp 2005, sections 4 and 5.
//
//   both    2q rounds; n-1 blocks of n sent or taken by the root and n-1 by everybody: at most
//           2(n-1) (lower bound n); q = ceil(log2 n)
//
// Costs are sums of both halves' (see composition.hpp). Throw std::invalid_argument for a root that
// is none of the ranks.

[[nodiscard]] Schedule scatter_all_gather_broadcast(Rank ranks, Rank root);
[[nodiscard]] Schedule reduce_scatter_gather_reduce(Rank ranks, Rank root);

}  // namespace railgauge::schedule
