#include "schedule/suspects.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "schedule/algorithms.hpp"
#include "schedule/collective.hpp"

namespace railgauge::schedule {
namespace {

Schedule schedule_of(Collective collective, const std::string& name, Rank ranks) {
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective != collective || algorithm.name != name) continue;
    return algorithm.make({ranks, 0, 1});
  }
  throw std::invalid_argument(name);
}

/// What comes out wrong if what `edge` carries of block `block` in step `step` is changed: by the
/// meaning of a ring, not by running it.
std::set<Rank> from(Rank first, Rank last, Rank ranks) {
  std::set<Rank> all;
  for (Rank rank = first;; rank = (rank + 1) % ranks) {
    all.insert(rank);
    if (rank == last) return all;
  }
}

TEST(Suspects, OfARingsAllGatherAreNamedByOneElement) {
  const Schedule ring = schedule_of(Collective::all_gather, "ring", 6);
  // Block 1 goes 1 -> 2 -> 3 -> 4 -> 5 -> 0. Wrong from 3 on: changed from 2 to 3.
  const WrongElement element{1, from(3, 0, 6)};
  const Suspects found = suspects_of(ring, std::vector{element});
  EXPECT_EQ(found.edges, (std::vector<Edge>{{2, 3}}));
  EXPECT_EQ(found.explained, 1U);
}

TEST(Suspects, OfARingsAllReduceAreNamedByElementsOfSeveralBlocks) {
  const Rank ranks = 5;
  const Schedule ring = schedule_of(Collective::all_reduce, "ring", ranks);
  const std::set<Rank> everywhere{0, 1, 2, 3, 4};
  // Wrong everywhere: before it was combined for the last time. Each block leaves all edges but
  // one.
  std::vector<WrongElement> elements;
  for (Block block = 0; block < ranks; ++block) elements.push_back({block, everywhere});
  const Suspects all = suspects_of(ring, elements);
  EXPECT_EQ(all.explained, ranks - 1U);
  elements.erase(elements.begin());
  EXPECT_LT(suspects_of(ring, elements).edges.size(), ranks);
}

/// What one port sends, or receives, is of as many edges as it has peers.
TEST(Suspects, OfAnAllToAllAreAPortIfNoEdgeExplainsAll) {
  const Schedule all_to_all = schedule_of(Collective::all_to_all, "pairwise", 4);
  const Suspects sent =
      suspects_of(all_to_all, std::vector<WrongElement>{{2, {0}}, {2, {1}}, {2, {3}}, {2, {0}}});
  EXPECT_EQ(sent.sender, 2U);
  EXPECT_EQ(sent.receiver, std::nullopt);
  EXPECT_EQ(sent.explained, 4U);
  EXPECT_EQ(sent.edges, (std::vector<Edge>{{2, 0}, {2, 1}, {2, 3}}));
  const Suspects received =
      suspects_of(all_to_all, std::vector<WrongElement>{{0, {3}}, {1, {3}}, {2, {3}}});
  EXPECT_EQ(received.receiver, 3U);
  const Suspects one = suspects_of(all_to_all, std::vector<WrongElement>{{2, {0}}, {2, {0}}});
  EXPECT_EQ(one.edges, (std::vector<Edge>{{2, 0}}));
  EXPECT_FALSE(one.sender || one.receiver);
  const Suspects either = suspects_of(all_to_all, std::vector<WrongElement>{{2, {0}}, {1, {3}}});
  EXPECT_FALSE(either.sender || either.receiver) << "of neither";
}

TEST(Suspects, AreOfNoEdgeIfNoneExplainsIt) {
  const Schedule ring = schedule_of(Collective::all_gather, "ring", 6);
  // Not a part of the way.
  const Suspects found = suspects_of(ring, std::vector<WrongElement>{{1, {3, 5}}});
  EXPECT_TRUE(found.edges.empty());
  EXPECT_EQ(found.of, 1U);
}

/// Which block of which rank is read, in place of what an op writes first.
std::pair<Rank, Block> source_of(const Schedule& schedule, Rank rank, Step step, const Op& op,
                                 std::size_t number) {
  if (op.action == Action::copy) return {rank, op.read().first};
  for (const Op& sent : schedule.ops(op.peer, step)) {
    if (sent.action != Action::send || sent.peer != rank || sent.channel != op.channel) continue;
    if (number-- == 0) return {op.peer, sent.blocks.first};
  }
  throw std::logic_error("nobody sends it");
}

using Values = std::map<std::pair<Rank, Block>, int>;

/// Runs a schedule with numbers for blocks, of which those of `to` have one more after `changed`.
Values run(const Schedule& schedule, Step changed, Rank to, Block block) {
  Values now;
  for (Step step = 0; step < schedule.steps; ++step) {
    Values before = now;
    for (Rank rank = 0; rank < schedule.ranks; ++rank) {
      std::map<std::pair<Rank, std::uint8_t>, std::size_t> taken;
      for (const Op& op : schedule.ops(rank, step)) {
        if (op.action == Action::send) continue;
        const auto [from, first] =
            source_of(schedule, rank, step, op, taken[{op.peer, op.channel}]++);
        for (Block i = 0; i < op.blocks.count; ++i) {
          const int own = op.action == Action::reduce ? before[{rank, op.read().first + i}] : 0;
          now[{rank, op.blocks.first + i}] = own + before[{from, first + i}];
        }
      }
    }
    if (step == changed) ++now[{to, block}];
  }
  return now;
}

/// The elements that are wrong in the end if what a rank is sent of a block in a step arrives
/// changed.
std::vector<WrongElement> changed_at(const Schedule& schedule, Step step, Rank to, Block block) {
  Values values = run(schedule, step, to, block);
  std::vector<WrongElement> wrong;
  for (Block output = 0; output < schedule.blocks; ++output) {
    WrongElement element{output, {}};
    for (Rank rank = 0; rank < schedule.ranks; ++rank) {
      if (is_output(schedule, rank, output) && values[{rank, output}] != 0) element.at.insert(rank);
    }
    if (!element.at.empty()) wrong.push_back(std::move(element));
  }
  return wrong;
}

/// An edge of every step of every algorithm: elements changed there are never
/// blamed on others alone.
TEST(Suspects, NeverLeaveOutTheEdgeThatDidIt) {
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective == Collective::barrier) continue;
    const Schedule schedule = algorithm.make({5, 0, 1});
    for (Step step = 0; step < schedule.steps; ++step) {
      const Rank rank = step % schedule.ranks;
      for (const Op& op : schedule.ops(rank, step)) {
        if (!arrives(op.action)) continue;
        SCOPED_TRACE(schedule.name + ", step " + std::to_string(step));
        const auto wrong = changed_at(schedule, step, rank, op.blocks.first);
        if (wrong.empty()) continue;
        const Suspects found = suspects_of(schedule, wrong);
        EXPECT_EQ(found.explained, wrong.size());
        EXPECT_EQ(std::ranges::count(found.edges, Edge{op.peer, rank}), 1);
        break;
      }
    }
  }
}

}  // namespace
}  // namespace railgauge::schedule
