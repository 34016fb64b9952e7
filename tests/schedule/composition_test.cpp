#include "schedule/composition.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "schedule/bruck.hpp"
#include "schedule/recursive_doubling.hpp"
#include "schedule/ring.hpp"

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
      compose(whole, {{ring_all_gather(1), alone}, everybody(ring_all_gather(4))});
  for (Rank rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(both.ops(rank, 0), ring_all_gather(4).ops(rank, 0));
  }
}

TEST(Composition, RefusesPartsThatNeedRoomOfTheirOwn) {
  const Schedule whole{"", Collective::all_reduce, 4, 1, 0, {}, {}};
  EXPECT_THROW((void)compose(whole, {everybody(recursive_doubling_all_reduce(4))}),
               std::invalid_argument);
  EXPECT_THROW((void)compose(whole, {everybody(bruck_all_to_all(4))}), std::invalid_argument);
}

}  // namespace
}  // namespace railgauge::schedule
