#include "schedule/algorithms.hpp"

#include <array>

#include "algorithm_checks.hpp"
#include "schedule/numbering.hpp"

namespace railgauge::schedule {
namespace {

TEST(Binomial, CostsWhatItsClosedFormSaysForEveryRoot) {
  for (Rank ranks = 1; ranks <= 34; ++ranks) {
    for (Rank root = 0; root < ranks; ++root) {
      expect_cost(binomial_broadcast(ranks, root));
      expect_cost(binomial_reduce(ranks, root));
      expect_cost(binomial_scatter(ranks, root));
      expect_cost(binomial_gather(ranks, root));
    }
  }
  for (const Rank ranks : {100, 128, 130}) expect_cost(binomial_gather(ranks, 77));
}

TEST(Binomial, AllGatherCostsWhatItsClosedFormSays) {
  for (Rank ranks = 1; ranks <= 130; ++ranks) expect_cost(binomial_all_gather(ranks));
}

TEST(Binomial, DoublesWhoHasTheDataInEveryRound) {
  const Schedule schedule = binomial_broadcast(8, 3);
  EXPECT_EQ(schedule.ops(3, 0), (Ops{{Action::send, 7, {0, 1}}}));
  EXPECT_EQ(schedule.ops(7, 1), (Ops{{Action::send, 1, {0, 1}}}));
  EXPECT_EQ(schedule.ops(1, 2), (Ops{{Action::send, 2, {0, 1}}}));
  EXPECT_EQ(schedule.ops(2, 2), (Ops{{Action::receive, 1, {0, 1}}}));
}

TEST(Binomial, SubtreesThatPassTheEndAreTwoMessages) {
  // Root 3 of 5: the child at place 2 is rank 0, at place 4 rank 2; of root 2, place 2 is rank 4.
  EXPECT_EQ(binomial_scatter(5, 2).ops(2, 1),
            (Ops{{Action::send, 4, {4, 1}}, {Action::send, 4, {0, 1}}}));
}

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

TEST(TwoTrees, CostWhatTheirClosedFormSays) {
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

TEST(ScatterGather, CostsNoMoreThanItsParts) {
  for (Rank ranks = 1; ranks <= 34; ++ranks) {
    for (Rank root = 0; root < ranks; root += 3) {
      expect_cost_at_most(scatter_all_gather_broadcast(ranks, root));
      expect_cost_at_most(reduce_scatter_gather_reduce(ranks, root));
    }
  }
}

TEST(ScatterGather, SendsAtMostTwiceTheData) {
  const Schedule schedule = scatter_all_gather_broadcast(64, 5);
  EXPECT_EQ(counted(schedule).blocks_sent, 2U * 63);
  EXPECT_EQ(counted(schedule).rounds, 12U);
}

TEST(Direct, CostsWhatItsClosedFormSays) {
  for (Rank ranks = 1; ranks <= 34; ++ranks) {
    expect_cost(direct_gather(ranks, ranks / 2));
    expect_cost(direct_scatter(ranks, ranks / 2));
  }
  for (Rank ranks = 1; ranks <= 34; ++ranks) expect_cost(direct_all_reduce(ranks));
}

TEST(DirectAllReduce, CombinesInTheOrderOfRanks) {
  const Schedule schedule = direct_all_reduce(3);
  EXPECT_EQ(schedule.ops(0, 0), (Ops{{Action::reduce, 1, {0, 1}}}));
  EXPECT_EQ(schedule.ops(0, 1), (Ops{{Action::reduce, 2, {0, 1}}}));
  EXPECT_EQ(schedule.ops(0, 2), (Ops{{Action::send, 1, {0, 1}}, {Action::send, 2, {0, 1}}}));
  EXPECT_EQ(schedule.ops(2, 1), (Ops{{Action::send, 0, {0, 1}}}));
  EXPECT_EQ(schedule.ops(2, 2), (Ops{{Action::receive, 0, {0, 1}}}));
}

}  // namespace

}  // namespace railgauge::schedule
