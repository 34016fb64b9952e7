#include "schedule/algorithms.hpp"

#include <algorithm>

#include "schedule/numbering.hpp"

namespace railgauge::schedule {

// To the next rank only.
//
// All-to-all around a ring: every rank sends all it has to rank + 1, which keeps its own and passes
// the rest on in the next round. Uses the links between neighbours and no others.
//
// The total exchange on a ring of Bertsekas and Tsitsiklis, "Parallel and Distributed Computation:
// Numerical Methods", 1989, section 1.3; in one direction.
//
//   n-1 rounds, depth n-1; n(n-1)/2 blocks sent per rank (lower bound n-1, or this in a
//   unidirectional ring); one message a round for what has arrived and one for what has not, and in
//   the first round two of the latter where the range wraps
//
// The shift: every rank sends its data to rank + 1. What nccl-tests calls sendrecv.
//
//   1 round, 1 message, the data once

namespace {

/// What is under way is kept in one of two halves of the scratch, by turns, in order of the
/// distance that it has to go from where it began, from 2 on.
struct Ring {
  Rank ranks;

  [[nodiscard]] Rank next(Rank rank, Rank by) const { return (rank + by) % ranks; }
  [[nodiscard]] Rank before(Rank rank, Rank by) const { return (rank + ranks - by) % ranks; }
  [[nodiscard]] Block slot(Step step, Rank distance) const {
    return 2 * ranks + step % 2 * (ranks - 2) + distance - 2;
  }
};

/// From the input, which is in order of destinations.
void send_first(const Ring& ring, Rank rank, Ops& ops) {
  const Rank next = ring.next(rank, 1);
  ops.push_back({Action::send, next, {ring.ranks + next, 1}});
  const std::size_t rest = ops.size();
  if (ring.ranks == 2) return;
  add_around(Action::send, next, ring.next(rank, 2), ring.ranks - 2, ring.ranks, ops);
  for (std::size_t i = rest; i < ops.size(); ++i) ops[i].blocks.first += ring.ranks;
}

void send_on(const Ring& ring, Rank rank, Step step, Ops& ops) {
  const Rank next = ring.next(rank, 1);
  const Block first = ring.slot(step - 1, step + 1);
  ops.push_back({Action::send, next, {first, 1}});
  const Block rest = ring.ranks - 2 - step;
  if (rest > 0) ops.push_back({Action::send, next, {first + 1, rest}});
}

/// In the ranges in which they are sent: the first is for this rank.
void take(const Ring& ring, Rank rank, Step step, Ops& ops) {
  const Rank from = ring.before(rank, 1);
  ops.push_back({Action::receive, from, {ring.before(rank, step + 1), 1}});
  const Block rest = ring.ranks - 2 - step;
  if (rest == 0) return;
  const Block until_the_end = ring.ranks - ring.next(from, 2);
  const Block first = step == 0 ? std::min(rest, until_the_end) : rest;
  ops.push_back({Action::receive, from, {ring.slot(step, step + 2), first}});
  if (first == rest) return;
  ops.push_back({Action::receive, from, {ring.slot(step, step + 2) + first, rest - first}});
}

Cost around(Rank ranks) {
  const std::uint64_t others = ranks - 1;
  const std::uint64_t blocks = others * ranks / 2;
  const std::uint64_t passing_on = ranks > 2 ? others - 1 : 0;
  const std::uint64_t split = ranks > 3 ? 1 : 0;
  return {others, others + passing_on + split, blocks, blocks, 0, others};
}

}  // namespace

Schedule neighbour_all_to_all(Rank ranks) {
  at_least_one(ranks);
  Schedule schedule{"ring", Collective::all_to_all, ranks, ranks, ranks, around(ranks), {}};
  schedule.scratch = ranks > 2 ? 2 * (ranks - 2) : 0;
  schedule.rule = [ring = Ring{ranks}](Rank rank, Step step, Ops& ops) {
    if (step == ring.ranks - 1) {
      return ops.push_back({Action::copy, rank, {rank, 1}, ring.ranks + rank});
    }
    if (step == 0) send_first(ring, rank, ops);
    if (step > 0) send_on(ring, rank, step, ops);
    take(ring, rank, step, ops);
  };
  return schedule;
}

Schedule neighbour_shift(Rank ranks) {
  at_least_one(ranks);
  const std::uint64_t any = ranks > 1 ? 1 : 0;
  const Cost cost{any, any, any, any, 0, any};
  Schedule schedule{"neighbour", Collective::sendrecv, ranks, 1, 1, cost, {}};
  schedule.rule = [ring = Ring{ranks}](Rank rank, Step, Ops& ops) {
    if (ring.ranks == 1) return ops.push_back({Action::copy, rank, {0, 1}, 1});
    ops.push_back({Action::send, ring.next(rank, 1), {1, 1}});
    ops.push_back({Action::receive, ring.before(rank, 1), {0, 1}});
  };
  return schedule;
}

}  // namespace railgauge::schedule
