#include "schedule/two_trees.hpp"

#include <array>

#include "algorithm_checks.hpp"
#include "schedule/in_order_tree.hpp"

namespace railgauge::schedule {
namespace {

TEST(InOrderTree, HasEveryNodeOnceUnderItsParent) {
  for (Rank nodes = 1; nodes <= 130; ++nodes) {
    const InOrderTree tree(nodes);
    std::vector<int> found(nodes + 1);
    for (Node node = 1; node <= nodes; ++node) {
      for (const Node child : {tree.left(node), tree.right(node)}) {
        if (child == 0) continue;
        ASSERT_LE(child, nodes);
        ++found[child];
        EXPECT_EQ(tree.parent(child), node) << child << " of " << nodes;
        EXPECT_EQ(tree.is_right(child), child == tree.right(node));
        EXPECT_LT(InOrderTree::height(child), InOrderTree::height(node));
      }
    }
    ++found[tree.root()];
    for (Node node = 1; node <= nodes; ++node) EXPECT_EQ(found[node], 1) << node << " of " << nodes;
  }
}

TEST(TwoTrees, CostWhatTheirHeaderSays) {
  for (Rank ranks = 1; ranks <= 130; ++ranks) {
    expect_cost(two_tree_all_reduce(ranks));
    expect_cost(two_tree_broadcast(ranks, ranks / 2));
    expect_cost(two_tree_reduce(ranks, ranks / 2));
  }
}

/// Nobody hands data down in both trees, or takes from, or sends to, two at once in the same tree.
TEST(TwoTrees, ShareTheWork) {
  for (const Rank ranks : {2, 3, 4, 5, 8, 13, 64, 65}) {
    const Schedule schedule = two_tree_all_reduce(ranks);
    for (Rank rank = 0; rank < ranks; ++rank) {
      std::array<int, 2> combined{};
      for (Step step = 0; step < schedule.steps; ++step) {
        std::array<int, 2> sends{};
        for (const Op& op : schedule.ops(rank, step)) {
          EXPECT_EQ(op.channel, op.blocks.first);
          if (op.action == Action::reduce) ++combined[op.channel];
          if (op.action == Action::send) {
            EXPECT_EQ(++sends[op.channel], 1);
          }
        }
      }
      EXPECT_TRUE(combined[0] == 0 || combined[1] == 0) << rank << " of " << ranks;
    }
  }
}

}  // namespace
}  // namespace railgauge::schedule
