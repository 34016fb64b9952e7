#include "schedule/algorithms.hpp"

#include <algorithm>
#include <bit>

#include "schedule/numbering.hpp"

namespace railgauge::schedule {

// All-to-all in the fewest rounds possible: a block that has to travel j ranks moves on by 2^k
// ranks in every round k whose bit is set in j, in one message with all other blocks that do. They
// are packed first, because they are not adjacent.
//
// Bruck, Ho, Kipnis, Upfal and Weathersby, "Efficient algorithms for all-to-all communications in
// multiport message-passing systems", IEEE Transactions on Parallel and Distributed Systems 8(11),
// 1997. Without its rotations: every block is copied from where it is to where it is next wanted.
//
// With q = ceil(log2 n):
//
//   q rounds (lower bound q), q messages
//   blocks: in round k as many as there are j < n with bit k set, at most n/2; about qn/2 in all
//   (lower bound n-1). Every block is copied once in each round in which it moves, and once at the
//   end
//   depth max(q-1, 1 + ceil(log2 r)), r = n - 2^(q-1): what the last round moves may be older

namespace {

/// Blocks are known by the distance they have to go. Scratch: two halves, by turns, where what is
/// sent is packed, and after them one place a round where what has arrived stays.
class Distances {
 public:
  explicit Distances(Rank ranks) : ranks_(ranks), rounds_(std::bit_width(ranks - 1)) {}

  [[nodiscard]] Rank ranks() const { return ranks_; }
  [[nodiscard]] Step rounds() const { return static_cast<Step>(rounds_); }
  [[nodiscard]] Block scratch() const { return rounds_ == 0 ? 0 : (2 + rounds_) * half(); }

  /// How many distances below `end` have the round's bit.
  [[nodiscard]] static Block moving_below(Rank end, Step round) {
    const Rank bit = Rank{1} << round;
    const Rank low = end % (2 * bit);
    return end / (2 * bit) * bit + (low > bit ? low - bit : 0);
  }
  [[nodiscard]] Block moving(Step round) const { return moving_below(ranks_, round); }

  [[nodiscard]] Block packed(Step round, Rank distance) const {
    return 2 * ranks_ + round % 2 * half() + moving_below(distance, round);
  }
  [[nodiscard]] Block arrived(Step round, Rank distance) const {
    return 2 * ranks_ + (2 + round) * half() + moving_below(distance, round);
  }
  /// Where the block of a distance lies that has been through all rounds before `round`.
  [[nodiscard]] Block before(Step round, Rank rank, Rank distance) const {
    const Rank gone = distance & ((Rank{1} << round) - 1);
    if (gone == 0) return ranks_ + (rank + distance) % ranks_;
    return arrived(static_cast<Step>(std::bit_width(gone) - 1), distance);
  }

 private:
  [[nodiscard]] Block half() const { return ranks_ / 2; }

  Rank ranks_;
  Rank rounds_;
};

void pack(const Distances& all, Rank rank, Step round, Ops& ops) {
  const Rank bit = Rank{1} << round;
  for (Rank distance = bit; distance < all.ranks(); distance = (distance + 1) | bit) {
    const Block from = all.before(round, rank, distance);
    ops.push_back({Action::copy, rank, {all.packed(round, distance), 1}, from});
  }
}

void move(const Distances& all, Rank rank, Step round, Ops& ops) {
  const Rank bit = Rank{1} << round;
  const Block count = all.moving(round);
  const Rank to = (rank + bit) % all.ranks();
  const Rank from = (rank + all.ranks() - bit) % all.ranks();
  ops.push_back({Action::send, to, {all.packed(round, bit), count}});
  ops.push_back({Action::receive, from, {all.arrived(round, bit), count}});
}

void unpack(const Distances& all, Rank rank, Ops& ops) {
  for (Rank distance = 0; distance < all.ranks(); ++distance) {
    const Rank source = (rank + all.ranks() - distance) % all.ranks();
    ops.push_back({Action::copy, rank, {source, 1}, all.before(all.rounds(), rank, distance)});
  }
}

Cost cost_of(const Distances& all) {
  const std::uint64_t rounds = all.rounds();
  if (rounds == 0) return {};
  std::uint64_t blocks = 0;
  for (Step round = 0; round < rounds; ++round) blocks += all.moving(round);
  const Rank rest = all.ranks() - (Rank{1} << (rounds - 1));
  const std::uint64_t depth = std::max<std::uint64_t>(rounds - 1, 1 + std::bit_width(rest - 1));
  return {rounds, rounds, blocks, blocks, 0, depth};
}

}  // namespace

Schedule bruck_all_to_all(Rank ranks) {
  at_least_one(ranks);
  const Distances all(ranks);
  const Step steps = 2 * all.rounds() + 1;
  Schedule schedule{"bruck", Collective::all_to_all, ranks, ranks, steps, cost_of(all), {}};
  schedule.scratch = all.scratch();
  schedule.rule = [all](Rank rank, Step step, Ops& ops) {
    if (step == 2 * all.rounds()) return unpack(all, rank, ops);
    if (step % 2 == 0) return pack(all, rank, step / 2, ops);
    move(all, rank, step / 2, ops);
  };
  return schedule;
}

}  // namespace railgauge::schedule
