#include "schedule/circulant.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace railgauge::schedule {
namespace {

/// The rounds of n ranks on a circle.
struct Circle {
  Rank ranks;
  Step rounds;

  explicit Circle(Rank n)
      : ranks(n), rounds(n == 0 ? 0 : static_cast<Step>(std::bit_width(n - 1))) {
    if (n == 0) throw std::invalid_argument("a circle needs at least one rank");
  }

  [[nodiscard]] Rank behind(Rank rank, Rank distance) const { return (rank + distance) % ranks; }
  [[nodiscard]] Rank before(Rank rank, Rank distance) const {
    return (rank + ranks - distance) % ranks;
  }
  /// How many blocks move in the round of this distance.
  [[nodiscard]] Block moved(Rank distance) const { return std::min(distance, ranks - distance); }
  /// In how many rounds more than one block moves, and so somebody's range passes the end.
  [[nodiscard]] std::uint64_t rounds_that_pass_the_end() const {
    std::uint64_t count = 0;
    for (Step round = 0; round < rounds; ++round) count += moved(Rank{1} << round) > 1 ? 1 : 0;
    return count;
  }
};

/// One op for `count` blocks from `first` on around the circle, or two where they pass its end.
void add(const Circle& circle, Action action, Rank peer, Block first, Block count, Ops& ops) {
  const Block here = std::min(count, circle.ranks - first);
  ops.push_back({action, peer, {first, here}});
  if (count > here) ops.push_back({action, peer, {0, count - here}});
}

/// Every rank holds the `distance` blocks from its own on, and gets the next ones from behind.
void gather(const Circle& circle, Rank rank, Step round, Ops& ops) {
  const Rank distance = Rank{1} << round;
  const Rank behind = circle.behind(rank, distance);
  const Block count = circle.moved(distance);
  add(circle, Action::send, circle.before(rank, distance), rank, count, ops);
  add(circle, Action::receive, behind, behind, count, ops);
}

/// The same backwards: every rank gives up the blocks that are nearer to the one behind it.
void scatter(const Circle& circle, Rank rank, Step round, Ops& ops) {
  const Rank distance = Rank{1} << round;
  const Rank behind = circle.behind(rank, distance);
  const Block count = circle.moved(distance);
  add(circle, Action::send, behind, behind, count, ops);
  add(circle, Action::reduce, circle.before(rank, distance), rank, count, ops);
}

Cost one_way(const Circle& circle) {
  const std::uint64_t blocks = circle.ranks - 1;
  return {.rounds = circle.rounds, .blocks_sent = blocks, .blocks_received = blocks};
}

void copy_own(Rank rank, Ops& ops) {
  ops.push_back({Action::copy, rank, {rank, 1}});
}

}  // namespace

Schedule circulant_all_gather(Rank ranks) {
  const Circle circle(ranks);
  Cost cost = one_way(circle);
  cost.messages = circle.rounds + circle.rounds_that_pass_the_end();  // of the last rank
  return {"circulant",
          Collective::all_gather,
          ranks,
          ranks,
          circle.rounds + 1,
          cost,
          [circle](Rank rank, Step step, Ops& ops) {
            if (step == 0) return copy_own(rank, ops);
            gather(circle, rank, step - 1, ops);
          }};
}

Schedule circulant_reduce_scatter(Rank ranks) {
  const Circle circle(ranks);
  Cost cost = one_way(circle);
  cost.blocks_reduced = cost.blocks_received;
  // What a rank sends passes the end in one round at most, and for somebody it does.
  cost.messages = circle.rounds + std::min<std::uint64_t>(circle.rounds_that_pass_the_end(), 1);
  return {"circulant",
          Collective::reduce_scatter,
          ranks,
          ranks,
          std::max<Step>(circle.rounds, 1),
          cost,
          [circle](Rank rank, Step step, Ops& ops) {
            if (circle.rounds == 0) return copy_own(rank, ops);
            scatter(circle, rank, circle.rounds - 1 - step, ops);
          }};
}

Schedule circulant_all_reduce(Rank ranks) {
  const Circle circle(ranks);
  const std::uint64_t blocks = ranks - 1;
  const std::uint64_t rounds = 2 * std::uint64_t{circle.rounds};
  const std::uint64_t messages = rounds + circle.rounds_that_pass_the_end();  // of the last rank
  const Cost cost{rounds, messages, 2 * blocks, 2 * blocks, blocks};
  return {"circulant",
          Collective::all_reduce,
          ranks,
          ranks,
          std::max<Step>(2 * circle.rounds, 1),
          cost,
          [circle](Rank rank, Step step, Ops& ops) {
            if (circle.rounds == 0) return copy_own(rank, ops);
            if (step < circle.rounds) return scatter(circle, rank, circle.rounds - 1 - step, ops);
            gather(circle, rank, step - circle.rounds, ops);
          }};
}

}  // namespace railgauge::schedule
