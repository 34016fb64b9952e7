#include "schedule/algorithms.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "schedule/numbering.hpp"

namespace railgauge::schedule {

// Halving and doubling: in every round each rank exchanges with the one whose number differs in one
// bit, and what they exchange halves (reduce-scatter) or doubles (all-gather). Optimal in rounds
// and in bytes, for n = 2^q ranks.
//
// Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH",
// International Journal of High Performance Computing Applications 19(1), 2005; Rabenseifner,
// "Optimization of collective reduction operations", ICCS 2004.
//
//   reduce-scatter   q rounds, n-1 blocks of n sent per rank     (lower bounds q and (n-1)/n)
//   all-gather       q rounds, n-1 blocks of n                   (lower bounds q and (n-1)/n)
//   all-reduce       2q rounds, 2(n-1) blocks of n               (lower bound 2(n-1)/n of the data)
//
// One message a round. The first two begin with the farthest rank, so that a rank's own block is
// that of its number. The all-reduce does not need that and begins with the nearest ("vector
// halving, distance doubling"): half of the data goes to the next rank, and only 1/n of it to the
// one that is n/2 away, which spares the upper tiers of an oversubscribed fabric.
//
// They throw std::invalid_argument unless the number of ranks is a power of two.

// Any number of ranks by the classical fold: with p = 2^q the largest power of two in n and r = n-p
// of r > 0, the first 2r ranks are r pairs. The even one gives all its data to the odd one, which
// takes part for both, and gets the result back.
//
//   all-reduce       2q+2 rounds; the busiest sends 2q+1 messages, 2(p-1)+p blocks of p: up to
//                    twice the lower bound. The circulant form (circulant.cpp) needs neither.

namespace {

void power_of_two(Rank ranks) {
  if (std::has_single_bit(ranks)) return;
  throw std::invalid_argument("halving and doubling needs 1, 2, 4, 8, ... ranks, not " +
                              std::to_string(ranks));
}

Step rounds_of(Rank ranks) {
  return static_cast<Step>(std::bit_width(ranks) - 1);
}

/// One half of an exchange each way.
void exchange(Rank peer, BlockRange out, Action take, BlockRange in, Ops& ops) {
  ops.push_back({Action::send, peer, out});
  ops.push_back({take, peer, in});
}

/// The blocks around that of `rank`'s number, `width` of them: those that its group holds together.
BlockRange around(Rank rank, Block width) {
  return {rank & ~(width - 1), width};
}

/// Whoever differs in the bit `distance` keeps one half of what both have, and adds the other's.
void halve(Rank rank, Block distance, Ops& ops) {
  const Rank peer = rank ^ distance;
  exchange(peer, around(peer, distance), Action::reduce, around(rank, distance), ops);
}

/// Both end up with what either had.
void redouble(Rank rank, Block distance, Ops& ops) {
  const Rank peer = rank ^ distance;
  exchange(peer, around(rank, distance), Action::receive, around(peer, distance), ops);
}

/// What a rank holds after `rounds` halvings that began with its lowest bit, which chose the upper
/// or lower half of everything.
BlockRange share(Rank rank, Step rounds, Rank ranks) {
  BlockRange mine{0, ranks};
  for (Step bit = 0; bit < rounds; ++bit) {
    mine.count /= 2;
    if ((rank >> bit & 1U) != 0) mine.first += mine.count;
  }
  return mine;
}

void halve_nearest_first(Rank rank, Step round, Rank ranks, Ops& ops) {
  const Rank peer = rank ^ (Rank{1} << round);
  exchange(peer, share(peer, round + 1, ranks), Action::reduce, share(rank, round + 1, ranks), ops);
}

void redouble_nearest_last(Rank rank, Step round, Rank ranks, Ops& ops) {
  const Rank peer = rank ^ (Rank{1} << round);
  exchange(peer, share(rank, round + 1, ranks), Action::receive, share(peer, round + 1, ranks),
           ops);
}

/// All-reduce of `ranks` ranks, a power of two and at least 2, in 2q steps.
void all_reduce_step(Rank rank, Step step, Rank ranks, Ops& ops) {
  const Step rounds = rounds_of(ranks);
  if (step < rounds) return halve_nearest_first(rank, step, ranks, ops);
  redouble_nearest_last(rank, 2 * rounds - 1 - step, ranks, ops);
}

Cost one_way(Rank ranks) {
  const std::uint64_t blocks = ranks - 1;
  const std::uint64_t rounds = rounds_of(ranks);
  return {.rounds = rounds,
          .messages = rounds,
          .blocks_sent = blocks,
          .blocks_received = blocks,
          .depth = rounds};
}

Cost both_ways(Rank ranks) {
  const std::uint64_t blocks = ranks - 1;
  const std::uint64_t rounds = rounds_of(ranks);
  return {2 * rounds, 2 * rounds, 2 * blocks, 2 * blocks, blocks, 2 * rounds};
}

void fold_step(const Fold& fold, Rank rank, bool out, Ops& ops) {
  const BlockRange all{0, fold.taking_part};
  if (!fold.paired(rank)) return;
  const Rank partner = rank ^ 1U;
  const bool sends = fold.waits(rank) == out;
  const Action take = out ? Action::reduce : Action::receive;
  ops.push_back({sends ? Action::send : take, partner, all});
}

void folded_step(const Fold& fold, Rank rank, Step step, Step steps, Ops& ops) {
  if (step == 0 || step == steps - 1) return fold_step(fold, rank, step == 0, ops);
  if (fold.waits(rank)) return;
  const std::size_t before = ops.size();
  all_reduce_step(fold.number(rank), step - 1, fold.taking_part, ops);
  for (std::size_t i = before; i < ops.size(); ++i) ops[i].peer = fold.rank(ops[i].peer);
}

}  // namespace

Schedule halving_reduce_scatter(Rank ranks) {
  power_of_two(ranks);
  const Step rounds = rounds_of(ranks);
  Cost cost = one_way(ranks);
  cost.blocks_reduced = cost.blocks_received;
  return {"halving-doubling",
          Collective::reduce_scatter,
          ranks,
          ranks,
          std::max<Step>(rounds, 1),
          cost,
          [rounds, ranks](Rank rank, Step step, Ops& ops) {
            if (rounds == 0) return ops.push_back(keep(rank, {rank, 1}));
            halve(rank, ranks >> (step + 1), ops);
          }};
}

Schedule doubling_all_gather(Rank ranks) {
  power_of_two(ranks);
  const Step rounds = rounds_of(ranks);
  return {"halving-doubling",
          Collective::all_gather,
          ranks,
          ranks,
          rounds + 1,
          one_way(ranks),
          [rounds](Rank rank, Step step, Ops& ops) {
            if (step < rounds) return redouble(rank, Block{1} << step, ops);
            ops.push_back(keep(rank, {rank, 1}));
          }};
}

Schedule halving_doubling_all_reduce(Rank ranks) {
  power_of_two(ranks);
  return {"halving-doubling",
          Collective::all_reduce,
          ranks,
          ranks,
          std::max<Step>(2 * rounds_of(ranks), 1),
          both_ways(ranks),
          [ranks](Rank rank, Step step, Ops& ops) {
            if (ranks == 1) return ops.push_back(keep(rank, {rank, 1}));
            all_reduce_step(rank, step, ranks, ops);
          }};
}

Schedule folded_all_reduce(Rank ranks) {
  at_least_one(ranks);
  const Fold fold(ranks);
  Schedule schedule = halving_doubling_all_reduce(fold.taking_part);
  schedule.name = "folded";
  schedule.ranks = ranks;
  if (fold.pairs == 0) return schedule;
  const std::uint64_t all = fold.taking_part;
  const Step steps = 2 * rounds_of(fold.taking_part) + 2;
  schedule.steps = steps;
  schedule.cost.rounds = schedule.cost.depth = steps;
  schedule.cost.messages += 1;
  schedule.cost.blocks_sent += all;
  schedule.cost.blocks_received += all;
  schedule.cost.blocks_reduced += all;
  schedule.rule = [fold, steps](Rank rank, Step step, Ops& ops) {
    folded_step(fold, rank, step, steps, ops);
  };
  return schedule;
}

}  // namespace railgauge::schedule
