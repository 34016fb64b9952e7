#include "schedule/algorithms.hpp"

#include "schedule/numbering.hpp"

namespace railgauge::schedule {

// The chain: the ranks form a line that starts at the root, and each talks to its neighbours only.
// An executor that cuts the data into chunks keeps all links busy at once, so that large data take
// hardly longer than over a single link: n-2 chunks longer.
//
// Chan, Heimlich, Purkayastha and van de Geijn, "Collective communication: theory, practice, and
// experience", Concurrency and Computation 19(13), 2007, section 7 (there as pipelined).
//
//   broadcast   n-1 rounds, each rank but the last sends the data once   (lower bounds q and 1)
//   reduce      n-1 rounds, each rank but the root sends the data once   (lower bounds q and 1)
//
// with q = ceil(log2 n).

namespace {

constexpr BlockRange kAll{0, 1};

Cost once_along(Rank ranks) {
  if (ranks == 1) return {};
  return {.rounds = ranks - 1,
          .messages = 1,
          .blocks_sent = 1,
          .blocks_received = 1,
          .depth = ranks - 1};
}

}  // namespace

Schedule chain_broadcast(Rank ranks, Rank root) {
  const FromRoot line(ranks, root);
  Schedule schedule{"chain", Collective::broadcast, ranks, 1, ranks, once_along(ranks), {}, root};
  schedule.rule = [line, last = ranks - 1](Rank rank, Step step, Ops& ops) {
    const Rank at = line.place(rank);
    if (step == last) {
      if (at == 0) ops.push_back(keep(rank, kAll));
    } else if (step == at) {
      ops.push_back({Action::send, line.rank(at + 1), kAll});
    } else if (step + 1 == at) {
      ops.push_back({Action::receive, line.rank(at - 1), kAll});
    }
  };
  return schedule;
}

Schedule chain_reduce(Rank ranks, Rank root) {
  const FromRoot line(ranks, root);
  Cost cost = once_along(ranks);
  cost.blocks_reduced = cost.blocks_received;
  Schedule schedule{"chain", Collective::reduce, ranks, 1, ranks, cost, {}, root};
  schedule.rule = [line, last = ranks - 1](Rank rank, Step step, Ops& ops) {
    const Rank at = line.place(rank);
    if (step == last) {
      if (last == 0) ops.push_back(keep(rank, kAll));
    } else if (step == last - at) {
      ops.push_back({Action::send, line.rank(at - 1), kAll});
    } else if (step == last - at - 1) {
      ops.push_back({Action::reduce, line.rank(at + 1), kAll});
    }
  };
  return schedule;
}

}  // namespace railgauge::schedule
