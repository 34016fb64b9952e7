#include "schedule/neighbour.hpp"

#include "algorithm_checks.hpp"

namespace railgauge::schedule {
namespace {

TEST(Neighbour, CostsWhatItsHeaderSays) {
  for (Rank ranks = 1; ranks <= 66; ++ranks) {
    expect_cost(neighbour_all_to_all(ranks));
    expect_cost(neighbour_shift(ranks));
  }
}

TEST(Neighbour, TalksToNeighboursAlone) {
  const Schedule schedule = neighbour_all_to_all(7);
  for (Rank rank = 0; rank < 7; ++rank) {
    for (Step step = 0; step < schedule.steps; ++step) {
      for (const Op& op : schedule.ops(rank, step)) {
        if (op.action == Action::send) {
          EXPECT_EQ(op.peer, (rank + 1) % 7);
        }
        if (arrives(op.action)) {
          EXPECT_EQ(op.peer, (rank + 6) % 7);
        }
      }
    }
  }
}

}  // namespace
}  // namespace railgauge::schedule
