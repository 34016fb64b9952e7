#include "schedule/algorithms.hpp"

#include <bit>

#include "schedule/numbering.hpp"

namespace railgauge::schedule {

// The dissemination barrier: in round k every rank tells the one 2^k after it which ranks it knows
// to have arrived. After q = ceil(log2 n) rounds every rank knows of all, of some more than once.
//
// Hensgen, Finkel and Manber, "Two algorithms for barrier synchronization", International Journal
// of Parallel Programming 17(1), 1988.
//
//   q rounds, depth q (lower bound q), q messages of one block per rank
//
// What arrives is combined into a copy of what is known, because a step may not write what it
// sends. The operator has to be idempotent: max or min.

/// Block k is what a rank knows after k rounds.
Schedule dissemination_barrier(Rank ranks) {
  at_least_one(ranks);
  const auto rounds = static_cast<Step>(std::bit_width(ranks - 1));
  const Cost cost{rounds, rounds, rounds, rounds, rounds, rounds};
  Schedule schedule{"dissemination", Collective::barrier, ranks, 1, rounds + 1, cost, {}};
  schedule.scratch = rounds;
  schedule.rule = [ranks, rounds](Rank rank, Step round, Ops& ops) {
    if (rounds == 0) return ops.push_back(keep(rank, {0, 1}));
    if (round == rounds) return ops.push_back({Action::copy, rank, {0, 1}, rounds});
    const Rank distance = Rank{1} << round;
    const Rank from = (rank + ranks - distance) % ranks;
    ops.push_back({Action::send, (rank + distance) % ranks, {round, 1}});
    ops.push_back({Action::reduce, from, {round + 1, 1}, round});
  };
  return schedule;
}

}  // namespace railgauge::schedule
