#include "schedule/algorithms.hpp"

#include <algorithm>

#include "schedule/numbering.hpp"

namespace railgauge::schedule {

// The ring: every rank sends to rank + 1 and receives from rank - 1, one block a step. Optimal in
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
// this volume.

namespace {

Cost once_around(Rank ranks) {
  const std::uint64_t hops = ranks - 1;
  return {.rounds = hops,
          .messages = hops,
          .blocks_sent = hops,
          .blocks_received = hops,
          .depth = hops};
}

/// A single rank has no peer: its one step is a copy.
Step at_least_a_copy(Step steps) {
  return std::max<Step>(steps, 1);
}

/// One hop: pass block `out` on to the next rank, take block `in` from the one before.
void hop(Rank rank, Rank ranks, Block out, Action take, Block in, Ops& ops) {
  ops.push_back({Action::send, (rank + 1) % ranks, {out, 1}});
  ops.push_back({take, (rank + ranks - 1) % ranks, {in, 1}});
}

/// Block c sets out from rank c+1 and gathers one input a hop, so that after n-1 hops it rests,
/// complete, on rank c.
void reduce_scatter_hop(Rank rank, Rank ranks, Step step, Ops& ops) {
  const Block out = (rank + ranks - 1 - step) % ranks;
  hop(rank, ranks, out, Action::reduce, (out + ranks - 1) % ranks, ops);
}

/// Block c sets out from rank c and is copied by everyone it passes.
void all_gather_hop(Rank rank, Rank ranks, Step step, Ops& ops) {
  const Block out = (rank + ranks - step) % ranks;
  hop(rank, ranks, out, Action::receive, (out + ranks - 1) % ranks, ops);
}

}  // namespace

Schedule ring_reduce_scatter(Rank ranks) {
  at_least_one(ranks);
  const Step hops = ranks - 1;
  Cost cost = once_around(ranks);
  cost.blocks_reduced = hops;
  return {"ring",
          Collective::reduce_scatter,
          ranks,
          ranks,
          at_least_a_copy(hops),
          cost,
          [ranks, hops](Rank rank, Step step, Ops& ops) {
            if (hops == 0) return ops.push_back(keep(rank, {rank, 1}));
            reduce_scatter_hop(rank, ranks, step, ops);
          }};
}

Schedule ring_all_gather(Rank ranks) {
  at_least_one(ranks);
  const Step hops = ranks - 1;
  return {"ring",
          Collective::all_gather,
          ranks,
          ranks,
          hops + 1,
          once_around(ranks),
          [ranks, hops](Rank rank, Step step, Ops& ops) {
            if (step == hops) return ops.push_back(keep(rank, {rank, 1}));
            all_gather_hop(rank, ranks, step, ops);
          }};
}

Schedule ring_all_reduce(Rank ranks) {
  at_least_one(ranks);
  const Step hops = ranks - 1;
  const std::uint64_t both = 2 * std::uint64_t{hops};
  const Cost cost{both, both, both, both, hops, both};
  return {"ring",
          Collective::all_reduce,
          ranks,
          ranks,
          at_least_a_copy(2 * hops),
          cost,
          [ranks, hops](Rank rank, Step step, Ops& ops) {
            if (hops == 0) return ops.push_back(keep(rank, {rank, 1}));
            if (step < hops) return reduce_scatter_hop(rank, ranks, step, ops);
            all_gather_hop(rank, ranks, step - hops, ops);
          }};
}

}  // namespace railgauge::schedule
