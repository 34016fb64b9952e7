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
//   all-reduce: all data to rank 0, which combines them in the order of ranks, and back. n rounds,
//   because it combines one after the other; rank 0 sends and takes n-1 times the data (lower bound
//   2(n-1)/n); depth 2. With 2(n-1) messages in all it has the fewest possible, and no rank but one
//   works while the others wait: for small data of few ranks, the more so if they share processors.
//
// What Open MPI calls the linear algorithm (ompi/mca/coll/base/coll_base_gather.c,
// coll_base_allreduce.c).

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

/// In step k rank k+1 hands over its data; in the last one all get the result.
void reduce_at_first(Rank ranks, Rank rank, Step step, Ops& ops) {
  const Rank peer = step + 1;
  if (peer < ranks) {
    if (rank == 0) ops.push_back({Action::reduce, peer, {0, 1}});
    if (rank == peer) ops.push_back({Action::send, 0, {0, 1}});
    return;
  }
  if (rank > 0) return ops.push_back({Action::receive, 0, {0, 1}});
  if (ranks == 1) return ops.push_back(keep(rank, {0, 1}));
  for (Rank other = 1; other < ranks; ++other) ops.push_back({Action::send, other, {0, 1}});
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

Schedule direct_all_reduce(Rank ranks) {
  at_least_one(ranks);
  const std::uint64_t others = ranks - 1;
  const bool any = ranks > 1;
  const Cost cost{any ? ranks : 0, others, others, others, others, any ? 2U : 0U};
  return {"direct",
          Collective::all_reduce,
          ranks,
          1,
          ranks,
          cost,
          [ranks](Rank rank, Step step, Ops& ops) { reduce_at_first(ranks, rank, step, ops); }};
}

}  // namespace railgauge::schedule
