#include "schedule/proof.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "schedule/circulant.hpp"
#include "schedule/halving_doubling.hpp"
#include "schedule/ring.hpp"

namespace railgauge::schedule {
namespace {

/// The schedule with one op of one rank changed: `change` gets that step's ops and the index.
template <class Change>
Schedule mutated(Schedule schedule, Rank rank, Step step, std::size_t index, Change change) {
  schedule.rule = [rule = schedule.rule, rank, step, index, change](Rank r, Step s, Ops& ops) {
    const std::size_t before = ops.size();
    rule(r, s, ops);
    if (r == rank && s == step && before + index < ops.size()) change(ops, before + index);
  };
  return schedule;
}

struct Tally {
  int tried = 0;
  int missed = 0;
};

template <class Change>
void try_everywhere(const Schedule& schedule, Tally& tally, Change change) {
  for (Rank rank = 0; rank < schedule.ranks; ++rank) {
    for (Step step = 0; step < schedule.steps; ++step) {
      for (std::size_t index = 0; index < schedule.ops(rank, step).size(); ++index) {
        ++tally.tried;
        if (!disproof(mutated(schedule, rank, step, index, change))) ++tally.missed;
      }
    }
  }
}

auto other_block(Block by, Block blocks) {
  return [by, blocks](Ops& ops, std::size_t i) {
    ops[i].blocks.first = (ops[i].blocks.first + by) % blocks;
  };
}

/// One rank does what belongs into two steps in the wrong order.
void try_swap(const Schedule& right, Step step, Tally& tally) {
  for (Rank rank = 0; rank < right.ranks; ++rank) {
    if (right.ops(rank, step) == right.ops(rank, step + 1)) continue;
    Schedule swapped = right;
    swapped.rule = [rule = right.rule, rank, step](Rank r, Step s, Ops& ops) {
      const bool one_of_both = r == rank && (s == step || s == step + 1);
      rule(r, one_of_both ? 2 * step + 1 - s : s, ops);
    };
    ++tally.tried;
    if (!disproof(swapped)) ++tally.missed;
  }
}

std::vector<Schedule> right_ones() {
  std::vector<Schedule> schedules;
  for (const Rank ranks : {2, 3, 5, 8}) {
    for (const auto make : {ring_reduce_scatter, ring_all_gather, ring_all_reduce,
                            circulant_reduce_scatter, circulant_all_gather, circulant_all_reduce}) {
      schedules.push_back(make(ranks));
    }
  }
  for (const Rank ranks : {2, 4, 8}) {
    for (const auto make :
         {halving_reduce_scatter, doubling_all_gather, halving_doubling_all_reduce}) {
      schedules.push_back(make(ranks));
    }
  }
  for (const Rank ranks : {3, 5, 6, 7}) schedules.push_back(folded_all_reduce(ranks));
  return schedules;
}

TEST(Proof, CatchesEverySingleMistake) {
  Tally tally;
  for (const Schedule& right : right_ones()) {
    const Rank ranks = right.ranks;
    try_everywhere(right, tally, [](Ops& ops, std::size_t i) {
      ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(i));
    });
    try_everywhere(right, tally, [](Ops& ops, std::size_t i) { ops.push_back(Op(ops[i])); });
    try_everywhere(right, tally, other_block(1, right.blocks));
    try_everywhere(right, tally, other_block(right.blocks - 1, right.blocks));
    try_everywhere(right, tally,
                   [ranks](Ops& ops, std::size_t i) { ops[i].peer = (ops[i].peer + 1) % ranks; });
    try_everywhere(right, tally, [](Ops& ops, std::size_t i) {
      ops[i].action = ops[i].action == Action::reduce ? Action::receive : Action::reduce;
    });
    for (Step step = 0; step + 1 < right.steps; ++step) try_swap(right, step, tally);
  }
  EXPECT_GT(tally.tried, 3000);
  EXPECT_EQ(tally.missed, 0) << "of " << tally.tried;
}

TEST(Proof, NamesStepAndRankOfADroppedSend) {
  const auto drop = [](Ops& ops, std::size_t) { ops.erase(ops.begin()); };
  EXPECT_EQ(disproof(mutated(ring_all_reduce(4), 2, 1, 0, drop)),
            "step 1, rank 3: waits for block 0 that rank 2 does not send");
}

TEST(Proof, NamesWhatIsMissingInAnOutput) {
  const auto overwrite = [](Ops& ops, std::size_t i) { ops[i].action = Action::receive; };
  EXPECT_EQ(disproof(mutated(ring_reduce_scatter(3), 1, 1, 1, overwrite)),
            "rank 1 ends with block 1 holding the input of rank 1 0 times");
}

TEST(Proof, KnowsThatOutOfPlaceNeedsTheOwnBlockToo) {
  Schedule schedule = ring_all_gather(3);
  schedule.steps -= 1;  // without the copy of the own block
  EXPECT_EQ(disproof(schedule), "rank 0 never writes block 0 of its output");
}

}  // namespace
}  // namespace railgauge::schedule
