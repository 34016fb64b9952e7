#include "schedule/algorithms.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "algorithm_checks.hpp"
#include "schedule/composition.hpp"
namespace railgauge::schedule {
namespace {

/// Six ranks; the odd and the even ones each gather three blocks of their six.
Schedule two_rings() {
  const Schedule whole{"two rings", Collective::all_gather, 6, 6, 0, {}, {}};
  return compose(whole, {{ring_all_gather(3), [](Rank rank) {
                            const Rank first = rank % 2;
                            return SubgroupRank{{first, 2}, rank / 2, {first, 2, 1, 1, 0}};
                          }}});
}

TEST(Composition, PutsAGroupOnItsRanksAndBlocks) {
  const Schedule rings = two_rings();
  EXPECT_EQ(rings.steps, ring_all_gather(3).steps);
  for (Rank rank = 0; rank < 6; ++rank) {
    for (Step step = 0; step < rings.steps; ++step) {
      for (const Op& op : rings.ops(rank, step)) {
        EXPECT_EQ(op.blocks.first % 2, rank % 2);
        const Rank neighbour = op.action == Action::send ? 2 : op.action == Action::receive ? 4 : 0;
        EXPECT_EQ(op.peer, (rank + neighbour) % 6);
      }
    }
  }
}

TEST(Composition, LeavesOutGroupsOfOneRank) {
  const auto alone = [](Rank rank) { return SubgroupRank{{rank, 1}, 0, {}}; };
  const Schedule whole{"", Collective::all_gather, 4, 4, 0, {}, {}};
  const Schedule both =
      compose(whole, {{ring_all_gather(1), alone}, all_ranks(ring_all_gather(4))});
  for (Rank rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(both.ops(rank, 0), ring_all_gather(4).ops(rank, 0));
  }
}

TEST(Composition, RefusesPartsThatNeedRoomOfTheirOwn) {
  const Schedule whole{"", Collective::all_reduce, 4, 1, 0, {}, {}};
  EXPECT_THROW((void)compose(whole, {all_ranks(recursive_doubling_all_reduce(4))}),
               std::invalid_argument);
  EXPECT_THROW((void)compose(whole, {all_ranks(bruck_all_to_all(4))}), std::invalid_argument);
}

std::vector<Schedule> all_of(const Team& team) {
  std::vector<Schedule> schedules;
  for (const Along along : {Along::circulant, Along::ring}) {
    schedules.push_back(hierarchical_all_reduce(team, along));
    schedules.push_back(hierarchical_reduce_scatter(team, along));
    schedules.push_back(hierarchical_all_gather(team, along));
  }
  schedules.push_back(hierarchical_all_to_all(team));
  return schedules;
}

constexpr std::initializer_list<Rank> kFew = {1, 2, 3, 5, 6, 7, 8, 12, 13};

/// Rounds and blocks are the sums of the parts', as all ranks are equally busy. Which rank sends
/// the most messages, or waits the longest, in one part may not in another.
void expect_right(Rank hosts, Rank per_host) {
  for (const Schedule& schedule : all_of({hosts * per_host, 0, per_host})) {
    expect_proved(schedule);
    expect_cost_at_most(schedule);
    const Cost found = counted(schedule);
    EXPECT_EQ(found.rounds, schedule.cost.rounds) << schedule.name;
    EXPECT_EQ(found.blocks_sent, schedule.cost.blocks_sent) << schedule.name;
    EXPECT_EQ(found.blocks_received, schedule.cost.blocks_received) << schedule.name;
    EXPECT_EQ(found.blocks_reduced, schedule.cost.blocks_reduced) << schedule.name;
  }
}

TEST(Hierarchical, IsProvedForAnyHostsAndRails) {
  for (const Rank hosts : kFew) {
    for (const Rank per_host : kFew) expect_right(hosts, per_host);
  }
}

TEST(Hierarchical, IsProvedForAnyNumberOfRanks) {
  for (Rank hosts = 1; hosts <= 64; ++hosts) {
    for (Rank per_host = 2; hosts * per_host <= 64; ++per_host) expect_right(hosts, per_host);
  }
  for (const Rank ranks : kManyRanks) {
    for (const Rank per_host : {8U, 5U, 3U}) {
      if (ranks % per_host != 0) continue;
      for (const Schedule& schedule : all_of({ranks, 0, per_host})) expect_proved(schedule);
      break;
    }
  }
}

/// Blocks that a rank sends to other hosts; -1 if it sends any to a rank of another number there.
int over_its_rail(const Schedule& schedule, const Team& team, Rank rank) {
  int blocks = 0;
  for (Step step = 0; step < schedule.steps; ++step) {
    for (const Op& op : schedule.ops(rank, step)) {
      if (op.action != Action::send || op.peer / team.per_host == rank / team.per_host) continue;
      if (op.peer % team.per_host != rank % team.per_host) return -1;
      blocks += static_cast<int>(op.blocks.count);
    }
  }
  return blocks;
}

TEST(Hierarchical, StaysOnItsRailWithTheLeastBytes) {
  constexpr int kHosts = 5;
  constexpr int kPerHost = 4;
  const Team team{kHosts * kPerHost, 0, kPerHost};
  for (Rank rank = 0; rank < team.ranks; ++rank) {
    for (const Along along : {Along::circulant, Along::ring}) {
      // Of 20 blocks: 2(N-1)/N of a quarter of the data.
      EXPECT_EQ(over_its_rail(hierarchical_all_reduce(team, along), team, rank), 2 * (kHosts - 1));
      EXPECT_EQ(over_its_rail(hierarchical_all_gather(team, along), team, rank), kHosts - 1);
      EXPECT_EQ(over_its_rail(hierarchical_reduce_scatter(team, along), team, rank), kHosts - 1);
    }
    EXPECT_EQ(over_its_rail(hierarchical_all_to_all(team), team, rank), kPerHost * (kHosts - 1));
  }
}

TEST(Hierarchical, RefusesHostsWithDifferentNumbersOfRanks) {
  EXPECT_THROW((void)hierarchical_all_to_all({7, 0, 2}), std::invalid_argument);
  EXPECT_THROW((void)hierarchical_all_reduce({7, 0, 0}, Along::ring), std::invalid_argument);
  EXPECT_THROW((void)hierarchical_all_gather({2, 0, 4}, Along::ring), std::invalid_argument);
}

}  // namespace

}  // namespace railgauge::schedule
