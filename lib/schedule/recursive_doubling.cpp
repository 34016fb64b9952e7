#include "schedule/algorithms.hpp"

#include <algorithm>
#include <bit>

#include "schedule/numbering.hpp"

namespace railgauge::schedule {

// All-reduce in the fewest rounds possible: in every round each rank exchanges all of its data with
// the one whose number differs in one bit. For small data, where only rounds count.
//
// Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH",
// International Journal of High Performance Computing Applications 19(1), 2005, section 8.
//
// Of n ranks that are no power of two the first 2r are pairs, r = n - 2^q with q = floor(log2 n):
// one of a pair gives its data to the other, which takes part for both, and gets the result back.
//
//   q rounds, q times the data sent (lower bounds ceil(log2 n) and 2(n-1)/n); else q+2 rounds, and
//   the busiest sends the data q+1 times. Depth q; else max(q+1, 2 + ceil(log2 r)).
//
// Every round writes another block, so that no rank waits until what it sent has left.

namespace {

/// Block 0 is the input and the output, block k what a rank has after k rounds of exchange, and the
/// last what it has taken over from the one it takes part for.
struct Doubling {
  Fold fold;
  Step rounds;

  explicit Doubling(Rank ranks)
      : fold(ranks), rounds(static_cast<Step>(std::bit_width(fold.taking_part) - 1)) {}

  [[nodiscard]] Step folds() const { return fold.pairs > 0 ? 1 : 0; }
  [[nodiscard]] Step steps() const { return rounds + 2 * folds() + 1; }
  /// A chain moves on in the rounds of the bits in which its ends differ. Ends of pairs make it
  /// longer.
  [[nodiscard]] std::uint64_t depth() const {
    if (fold.pairs == 0) return rounds;
    return std::max<std::uint64_t>(rounds + 1, std::bit_width(fold.pairs - 1) + 2);
  }
  [[nodiscard]] Block taken_over() const { return rounds + 1; }
  [[nodiscard]] Block before(Rank rank, Step round) const {
    return round == 0 && fold.paired(rank) ? taken_over() : round;
  }

  void step(Rank rank, Step step, Ops& ops) const {
    if (step < folds()) return take_over(rank, ops);
    if (step < folds() + rounds) return exchange(rank, step - folds(), ops);
    if (step == rounds + 2 * folds()) return finish(rank, ops);
    give_back(rank, ops);
  }

 private:
  void take_over(Rank rank, Ops& ops) const {
    if (!fold.paired(rank)) return;
    if (fold.waits(rank)) return ops.push_back({Action::send, rank + 1, {0, 1}});
    ops.push_back({Action::reduce, rank - 1, {taken_over(), 1}, 0});
  }

  void exchange(Rank rank, Step round, Ops& ops) const {
    if (fold.waits(rank)) return;
    const Rank peer = fold.rank(fold.number(rank) ^ (Rank{1} << round));
    const Block own = before(rank, round);
    ops.push_back({Action::send, peer, {own, 1}});
    ops.push_back({Action::reduce, peer, {round + 1, 1}, own});
  }

  void finish(Rank rank, Ops& ops) const {
    if (rounds == 0 && folds() == 0) return ops.push_back(keep(rank, {0, 1}));
    if (!fold.waits(rank)) ops.push_back({Action::copy, rank, {0, 1}, rounds});
  }

  void give_back(Rank rank, Ops& ops) const {
    if (!fold.paired(rank)) return;
    if (fold.waits(rank)) return ops.push_back({Action::receive, rank + 1, {0, 1}});
    ops.push_back({Action::send, rank - 1, {rounds, 1}});
  }
};

}  // namespace

Schedule recursive_doubling_all_reduce(Rank ranks) {
  at_least_one(ranks);
  const Doubling doubling(ranks);
  const std::uint64_t folds = doubling.folds();
  const std::uint64_t rounds = doubling.rounds + 2 * folds;
  const std::uint64_t busiest = doubling.rounds + folds;
  const Cost cost{rounds, busiest, busiest, busiest, busiest, doubling.depth()};
  Schedule schedule{"doubling", Collective::all_reduce, ranks, 1, doubling.steps(), cost, {}};
  schedule.scratch = doubling.rounds + doubling.folds();
  schedule.rule = [doubling](Rank rank, Step step, Ops& ops) { doubling.step(rank, step, ops); };
  return schedule;
}

}  // namespace railgauge::schedule
