#include "schedule/algorithms.hpp"

#include "schedule/composition.hpp"

namespace railgauge::schedule {

// Broadcast as a scatter and an all-gather, and reduce as a reduce-scatter and a gather: no rank
// sends or receives more than twice the data, where the binomial tree's root has q times as many.
// The halves are binomial (scatter, gather) and circulant (all-gather, reduce-scatter).
//
// Barnett, Shuler, van de Geijn, Gupta, Payne and Watts, "Interprocessor collective communication
// library (InterCom)", Scalable High-Performance Computing Conference, 1994; Thakur, Rabenseifner
// and Gropp 2005, sections 4 and 5.
//
//   both    2q rounds; n-1 blocks of n sent or received by the root and n-1 by every rank: at most
//           2(n-1) (lower bound n); q = ceil(log2 n)
//
// Costs are the sums of both halves (see composition.hpp).

namespace {

Schedule whole(Collective collective, Rank ranks, Rank root) {
  return {"halving-doubling", collective, ranks, ranks, 0, {}, {}, root};
}

}  // namespace

Schedule scatter_all_gather_broadcast(Rank ranks, Rank root) {
  return compose(
      whole(Collective::broadcast, ranks, root),
      {all_ranks(binomial_scatter(ranks, root)), all_ranks(circulant_all_gather(ranks))});
}

Schedule reduce_scatter_gather_reduce(Rank ranks, Rank root) {
  return compose(
      whole(Collective::reduce, ranks, root),
      {all_ranks(circulant_reduce_scatter(ranks)), all_ranks(binomial_gather(ranks, root))});
}

}  // namespace railgauge::schedule
