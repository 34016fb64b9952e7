#include "schedule/suspects.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "schedule/algorithms.hpp"

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

TEST(Suspects, AreOfNoEdgeIfNoneExplainsIt) {
  const Schedule ring = schedule_of(Collective::all_gather, "ring", 6);
  // Not a part of the way.
  const Suspects found = suspects_of(ring, std::vector<WrongElement>{{1, {3, 5}}});
  EXPECT_TRUE(found.edges.empty());
  EXPECT_EQ(found.of, 1U);
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
