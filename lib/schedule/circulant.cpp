#include "schedule/circulant.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "schedule/circle.hpp"

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
  /// The last round moves less than all that is there, and may not have to wait for the round
  /// before.
  [[nodiscard]] std::uint64_t depth() const {
    if (rounds == 0) return 0;
    const Rank rest = ranks - (Rank{1} << (rounds - 1));
    return std::max<std::uint64_t>(rounds - 1, 1 + std::bit_width(rest - 1));
  }
  /// In how many rounds more than one block moves, and so somebody's range passes the end.
  [[nodiscard]] std::uint64_t rounds_that_pass_the_end() const {
    std::uint64_t count = 0;
    for (Step round = 0; round < rounds; ++round) count += moved(Rank{1} << round) > 1 ? 1 : 0;
    return count;
  }
};

/// Every rank holds the `distance` blocks from its own on, and gets the next ones from behind.
void gather(const Circle& circle, Rank rank, Step round, Ops& ops) {
  const Rank distance = Rank{1} << round;
  const Rank behind = circle.behind(rank, distance);
  const Block count = circle.moved(distance);
  add_around(Action::send, circle.before(rank, distance), rank, count, circle.ranks, ops);
  add_around(Action::receive, behind, behind, count, circle.ranks, ops);
}

/// The same backwards: every rank gives up the blocks that are nearer to the one behind it.
void scatter(const Circle& circle, Rank rank, Step round, Ops& ops) {
  const Rank distance = Rank{1} << round;
  const Rank behind = circle.behind(rank, distance);
  const Block count = circle.moved(distance);
  add_around(Action::send, behind, behind, count, circle.ranks, ops);
  add_around(Action::reduce, circle.before(rank, distance), rank, count, circle.ranks, ops);
}

Cost one_way(const Circle& circle) {
  const std::uint64_t blocks = circle.ranks - 1;
  return {.rounds = circle.rounds,
          .blocks_sent = blocks,
          .blocks_received = blocks,
          .depth = circle.depth()};
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
            if (step < circle.rounds) return gather(circle, rank, step, ops);
            ops.push_back(keep(rank, {rank, 1}));
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
            if (circle.rounds == 0) return ops.push_back(keep(rank, {rank, 1}));
            scatter(circle, rank, circle.rounds - 1 - step, ops);
          }};
}

Schedule circulant_all_reduce(Rank ranks) {
  const Circle circle(ranks);
  const std::uint64_t blocks = ranks - 1;
  const std::uint64_t rounds = 2 * std::uint64_t{circle.rounds};
  const std::uint64_t messages = rounds + circle.rounds_that_pass_the_end();  // of the last rank
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
