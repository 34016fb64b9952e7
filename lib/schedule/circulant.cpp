#include "schedule/algorithms.hpp"

#include <algorithm>
#include <bit>

#include "schedule/numbering.hpp"

namespace railgauge::schedule {

// The circulant forms: in round k every rank exchanges with those 2^k before and behind it on a
// ring, and what it holds doubles, except in the last round, which moves what is left. Optimal in
// rounds and in bytes for any number of ranks n; q = ceil(log2 n). A range of blocks that wraps
// around the ring is two messages.
//
// All-gather: Bruck, Ho, Kipnis, Upfal and Weathersby, "Efficient algorithms for all-to-all
// communications in multiport message-passing systems", IEEE Transactions on Parallel and
// Distributed Systems 8(11), 1997. Without its final rotation: blocks land in their places at once.
// Reduce-scatter is the same backwards in time, and all-reduce the one after the other: Träff,
// "Optimal, non-pipelined reduce-scatter and allreduce algorithms", arXiv 2410.14234, 2024, whose
// distances are ceil(n / 2^k) instead: as many rounds and bytes.
//
//   all-gather       q rounds, n-1 blocks of n sent per rank     (lower bounds q and (n-1)/n)
//   reduce-scatter   q rounds, n-1 blocks of n                   (lower bounds q and (n-1)/n)
//   all-reduce       2q rounds, 2(n-1) blocks of n               (lower bound 2(n-1)/n of the data)
//
// Messages: one a round, and two where a range wraps. The last rank's range wraps in every round of
// an all-gather (by itself or in an all-reduce) that moves more than one block; in a reduce-scatter
// no rank's wraps twice.
// Depth: max(q-1, 1 + ceil(log2 r)), r = n - 2^(q-1), and twice that for the all-reduce.
// The operator has to be commutative, as all of ours are.

namespace {

/// The rounds of n ranks on a ring.
struct Circulant {
  Rank ranks;
  Step rounds;

  explicit Circulant(Rank n)
      : ranks(n), rounds(n == 0 ? 0 : static_cast<Step>(std::bit_width(n - 1))) {
    at_least_one(n);
  }

  [[nodiscard]] Rank behind(Rank rank, Rank distance) const { return (rank + distance) % ranks; }
  [[nodiscard]] Rank before(Rank rank, Rank distance) const {
    return (rank + ranks - distance) % ranks;
  }
  /// How many blocks move in the round of this distance.
  [[nodiscard]] Block moved(Rank distance) const { return std::min(distance, ranks - distance); }
  /// The last round moves less than all that is there, and may not have to wait for the round
  /// before.
  [[nodiscard]] std::uint64_t depth() const {
    if (rounds == 0) return 0;
    const Rank rest = ranks - (Rank{1} << (rounds - 1));
    return std::max<std::uint64_t>(rounds - 1, 1 + std::bit_width(rest - 1));
  }
  /// In how many rounds more than one block moves, so that some rank's range wraps.
  [[nodiscard]] std::uint64_t rounds_that_wrap() const {
    std::uint64_t count = 0;
    for (Step round = 0; round < rounds; ++round) count += moved(Rank{1} << round) > 1 ? 1 : 0;
    return count;
  }
};

/// Every rank holds `distance` blocks from its own on, and gets the next ones from behind.
void gather(const Circulant& circle, Rank rank, Step round, Ops& ops) {
  const Rank distance = Rank{1} << round;
  const Rank behind = circle.behind(rank, distance);
  const Block count = circle.moved(distance);
  add_around(Action::send, circle.before(rank, distance), rank, count, circle.ranks, ops);
  add_around(Action::receive, behind, behind, count, circle.ranks, ops);
}

/// The same backwards: every rank gives up the blocks that are nearer to the one behind it.
void scatter(const Circulant& circle, Rank rank, Step round, Ops& ops) {
  const Rank distance = Rank{1} << round;
  const Rank behind = circle.behind(rank, distance);
  const Block count = circle.moved(distance);
  add_around(Action::send, behind, behind, count, circle.ranks, ops);
  add_around(Action::reduce, circle.before(rank, distance), rank, count, circle.ranks, ops);
}

Cost one_way(const Circulant& circle) {
  const std::uint64_t blocks = circle.ranks - 1;
  return {.rounds = circle.rounds,
          .blocks_sent = blocks,
          .blocks_received = blocks,
          .depth = circle.depth()};
}

}  // namespace

Schedule circulant_all_gather(Rank ranks) {
  const Circulant circle(ranks);
  Cost cost = one_way(circle);
  cost.messages = circle.rounds + circle.rounds_that_wrap();  // of the last rank
  return {"circulant",
          Collective::all_gather,
          ranks,
          ranks,
          circle.rounds + 1,
          cost,
          [circle](Rank rank, Step step, Ops& ops) {
            if (step < circle.rounds) return gather(circle, rank, step, ops);
            ops.push_back(keep(rank, {rank, 1}));
          }};
}

Schedule circulant_reduce_scatter(Rank ranks) {
  const Circulant circle(ranks);
  Cost cost = one_way(circle);
  cost.blocks_reduced = cost.blocks_received;
  // What a rank sends wraps in one round at most, and for some rank it does.
  cost.messages = circle.rounds + std::min<std::uint64_t>(circle.rounds_that_wrap(), 1);
  return {"circulant",
          Collective::reduce_scatter,
          ranks,
          ranks,
          std::max<Step>(circle.rounds, 1),
          cost,
          [circle](Rank rank, Step step, Ops& ops) {
            if (circle.rounds == 0) return ops.push_back(keep(rank, {rank, 1}));
            scatter(circle, rank, circle.rounds - 1 - step, ops);
          }};
}

Schedule circulant_all_reduce(Rank ranks) {
  const Circulant circle(ranks);
  const std::uint64_t blocks = ranks - 1;
  const std::uint64_t rounds = 2 * std::uint64_t{circle.rounds};
  const std::uint64_t messages = rounds + circle.rounds_that_wrap();  // of the last rank
  const Cost cost{rounds, messages, 2 * blocks, 2 * blocks, blocks, 2 * circle.depth()};
  return {"circulant",
          Collective::all_reduce,
          ranks,
          ranks,
          std::max<Step>(2 * circle.rounds, 1),
          cost,
          [circle](Rank rank, Step step, Ops& ops) {
            if (circle.rounds == 0) return ops.push_back(keep(rank, {rank, 1}));
            if (step < circle.rounds) return scatter(circle, rank, circle.rounds - 1 - step, ops);
            gather(circle, rank, step - circle.rounds, ops);
          }};
}

}  // namespace railgauge::schedule
