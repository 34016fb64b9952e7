#include "schedule/proof.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "schedule/algorithms.hpp"

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
        const Schedule wrong = mutated(schedule, rank, step, index, change);
        if (wrong.ops(rank, step) == schedule.ops(rank, step)) continue;
        ++tally.tried;
        if (disproof(wrong)) continue;
        ++tally.missed;
        ADD_FAILURE() << schedule.name << " " << name(schedule.collective) << ", " << schedule.ranks
                      << " ranks: rank " << rank << ", step " << step << ", op " << index
                      << " can be wrong";
      }
    }
  }
}

auto other_block(Block by, Block blocks) {
  return [by, blocks](Ops& ops, std::size_t i) {
    ops[i].blocks.first = (ops[i].blocks.first + by) % blocks;
  };
}

bool has_messages(const Ops& ops) {
  return std::ranges::any_of(ops, [](const Op& op) { return op.action != Action::copy; });
}

/// One rank does what belongs into two steps in the wrong order.
void try_swap(const Schedule& right, Step step, Tally& tally) {
  for (Rank rank = 0; rank < right.ranks; ++rank) {
    if (right.ops(rank, step) == right.ops(rank, step + 1)) continue;
    // What a rank does by itself it may do a step earlier.
    if (!has_messages(right.ops(rank, step)) && !has_messages(right.ops(rank, step + 1))) continue;
    Schedule swapped = right;
    swapped.rule = [rule = right.rule, rank, step](Rank r, Step s, Ops& ops) {
      const bool one_of_both = r == rank && (s == step || s == step + 1);
      rule(r, one_of_both ? 2 * step + 1 - s : s, ops);
    };
    ++tally.tried;
    if (!disproof(swapped)) ++tally.missed;
  }
}

/// Of these some mistakes are harmless: a barrier may be told twice, and this broadcast sends some
/// ranks what they have already.
bool is_generous(const Algorithm& algorithm) {
  return algorithm.collective == Collective::barrier ||
         algorithm.make == find_algorithm(Collective::broadcast, "halving-doubling")->make;
}

std::vector<Schedule> right_ones(bool generous) {
  std::vector<Schedule> schedules;
  for (const Algorithm& algorithm : algorithms()) {
    if (is_generous(algorithm) != generous) continue;
    for (const Rank ranks : {2, 3, 5, 8})
      schedules.push_back(algorithm.make({ranks, ranks / 2, 1}));
    schedules.push_back(algorithm.make({6, 1, 3}));
  }
  return schedules;
}

TEST(Proof, CatchesEverySingleMistake) {
  Tally tally;
  for (const Schedule& right : right_ones(false)) {
    const Rank ranks = right.ranks;
    try_everywhere(right, tally, [](Ops& ops, std::size_t i) {
      ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(i));
    });
    try_everywhere(right, tally, [](Ops& ops, std::size_t i) { ops.push_back(Op(ops[i])); });
    // Not the block before: what is packed for sending may lie there unpacked.
    try_everywhere(right, tally, other_block(1, right.all_blocks()));
    try_everywhere(right, tally, other_block(2, right.all_blocks()));
    try_everywhere(right, tally, [&](Ops& ops, std::size_t i) {
      if (ops[i].from != kSame) ops[i].from = (ops[i].from + 1) % right.all_blocks();
    });
    try_everywhere(right, tally, [](Ops& ops, std::size_t i) {
      if (ops[i].action != Action::copy) ++ops[i].channel;
    });
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

TEST(Proof, CatchesEveryMessageWithOneEnd) {
  Tally tally;
  for (const Schedule& right : right_ones(true)) {
    const Rank ranks = right.ranks;
    try_everywhere(right, tally, [](Ops& ops, std::size_t i) {
      if (ops[i].action != Action::copy) ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(i));
    });
    try_everywhere(right, tally, [ranks](Ops& ops, std::size_t i) {
      if (ops[i].action != Action::copy) ops[i].peer = (ops[i].peer + 1) % ranks;
    });
  }
  EXPECT_GT(tally.tried, 200);
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
