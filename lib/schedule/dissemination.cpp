#include "schedule/dissemination.hpp"

#include <bit>
#include <stdexcept>

namespace railgauge::schedule {

/// Block k is what a rank knows after k rounds.
Schedule dissemination_barrier(Rank ranks) {
  if (ranks == 0) throw std::invalid_argument("a barrier needs at least one rank");
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
