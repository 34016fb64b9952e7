#include "schedule/scatter_gather.hpp"

#include "schedule/binomial.hpp"
#include "schedule/circulant.hpp"
#include "schedule/composition.hpp"

namespace railgauge::schedule {
namespace {

Schedule whole(Collective collective, Rank ranks, Rank root) {
  return {"halving-doubling", collective, ranks, ranks, 0, {}, {}, root};
}

}  // namespace

Schedule scatter_all_gather_broadcast(Rank ranks, Rank root) {
  return compose(
      whole(Collective::broadcast, ranks, root),
      {everybody(binomial_scatter(ranks, root)), everybody(circulant_all_gather(ranks))});
}

Schedule reduce_scatter_gather_reduce(Rank ranks, Rank root) {
  return compose(
      whole(Collective::reduce, ranks, root),
      {everybody(circulant_reduce_scatter(ranks)), everybody(binomial_gather(ranks, root))});
}

}  // namespace railgauge::schedule
