#include "schedule/algorithms.hpp"

#include "schedule/numbering.hpp"

namespace railgauge::schedule {

// All at once: every rank talks directly to the root. One message deep, and as many bytes through
// the root's link as the binomial tree, but n-1 messages at the root, where the tree has
// ceil(log2 n).
//
//   gather    1 round, every rank sends 1 block to the root     (lower bound: n-1 blocks taken)
//   scatter   1 round, the root sends n-1 blocks                (lower bound: n-1 blocks sent)
//
// What Open MPI calls the linear algorithm (ompi/mca/coll/base/coll_base_gather.c).

namespace {

/// The root has an op for every other rank, and each of them one for the root.
void exchange(const FromRoot& line, Rank rank, Action root_does, Action others_do, Ops& ops) {
  if (rank != line.root()) return ops.push_back({others_do, line.root(), {rank, 1}});
  ops.push_back(keep(rank, {rank, 1}));
  for (Rank place = 1; place < line.ranks(); ++place) {
    const Rank peer = line.rank(place);
    ops.push_back({root_does, peer, {peer, 1}});
  }
}

}  // namespace

Schedule direct_gather(Rank ranks, Rank root) {
  const FromRoot line(ranks, root);
  const std::uint64_t any = ranks > 1 ? 1 : 0;
  const Cost cost{any, any, any, ranks - 1, 0, any};
  Schedule schedule{"direct", Collective::gather, ranks, ranks, 1, cost, {}, root};
  schedule.rule = [line](Rank rank, Step, Ops& ops) {
    exchange(line, rank, Action::receive, Action::send, ops);
  };
  return schedule;
}

Schedule direct_scatter(Rank ranks, Rank root) {
  const FromRoot line(ranks, root);
  const std::uint64_t any = ranks > 1 ? 1 : 0;
  const Cost cost{any, ranks - 1, ranks - 1, any, 0, any};
  Schedule schedule{"direct", Collective::scatter, ranks, ranks, 1, cost, {}, root};
  schedule.rule = [line](Rank rank, Step, Ops& ops) {
    exchange(line, rank, Action::send, Action::receive, ops);
  };
  return schedule;
}

}  // namespace railgauge::schedule
