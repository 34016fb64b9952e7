#include "schedule/algorithms.hpp"

#include <algorithm>
#include <bit>

#include "schedule/numbering.hpp"

namespace railgauge::schedule {

// Two binary trees at once, each of which carries one half of the data; a rank with children in one
// is a leaf in the other, so that every link is busy both ways all the time. An executor that cuts
// the data into chunks keeps all levels of both busy: large data take hardly more than twice the
// time of one link, and any data 2 floor(log2 n) latencies.
//
// Sanders, Speck and Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan",
// Parallel Computing 35(12), 2009. The first tree is theirs, numbered in order: node v, from 1 on,
// has the height of v's lowest set bit. The second is its mirror image for an even number of nodes,
// and the first shifted by one for an odd number. In one step no rank receives from, or sends to,
// two others in the same tree. Each tree has a channel.
//
// With H = floor(log2 n), blocks of half the data:
//
//   all-reduce   all n ranks are nodes; up to the root and down again
//                rounds 2(2H-1+e), e = 1 if 3 * 2^(H-1) <= n, else 0; depth 2H
//                each rank sends 4 messages of a block at the most: twice the data (lower bound
//                2(n-1)/n)
//   broadcast    n-1 ranks are nodes; the root feeds the roots of both trees. With H and e of n-1:
//                rounds 2 + 2H-1+e; depth H+1; each sends 2 messages of a block (lower
//                bound 1 of the data)
//   reduce       the same backwards

namespace {

constexpr unsigned kTrees = 2;

/// Both trees over the same ranks, and when each edge is used.
class TwoTrees {
 public:
  /// `line`: how ranks are counted. With a feeder, its place 0 is above both trees, and is no node.
  TwoTrees(const FromRoot& line, bool feeder)
      : line_(line), feeder_(feeder), tree_(line.ranks() - (feeder ? 1 : 0)) {}

  [[nodiscard]] bool none() const { return tree_.nodes() == 0; }
  /// Steps from the lowest leaf to the top: two a level, for left and right children.
  [[nodiscard]] Step levels() const {
    return none() ? 0 : InOrderTree::height(tree_.root()) + (feeder_ ? 1 : 0);
  }
  [[nodiscard]] Step steps() const { return 2 * levels(); }
  /// Of these, in how many an edge is used.
  [[nodiscard]] std::uint64_t rounds() const {
    if (none()) return 0;
    const Step height = InOrderTree::height(tree_.root());
    if (height == 0) return feeder_ ? 2 : 0;
    const bool even_high = Rank{3} << (height - 1) <= tree_.nodes();
    return 2 * height - 1 + (even_high ? 1 : 0) + (feeder_ ? 2 : 0);
  }

  /// What a rank does in a step on its way up: `child_does` to its parent, `parent_does` to its
  /// children. On the way down steps count backwards.
  void climb(Rank rank, Step step, Action child_does, Action parent_does, Ops& ops) const {
    for (unsigned tree = 0; tree < kTrees; ++tree) {
      const Node node = node_of(tree, rank);
      if (node == 0) {
        edge(tree, tree_.root(), step, parent_does, true, ops);
        continue;
      }
      edge(tree, node, step, child_does, false, ops);
      edge(tree, tree_.left(node), step, parent_does, true, ops);
      edge(tree, tree_.right(node), step, parent_does, true, ops);
    }
  }

 private:
  /// The edge above `child`, if it exists and its step has come.
  void edge(unsigned tree, Node child, Step step, Action action, bool to_child, Ops& ops) const {
    if (child == 0 || (child == tree_.root() && !feeder_)) return;
    const bool second = child == tree_.root() ? tree == 1 : tree_.is_right(child);
    if (step != 2 * InOrderTree::height(child) + (second ? 1 : 0)) return;
    const Rank peer = rank_of(tree, to_child ? child : tree_.parent(child));
    ops.push_back({action, peer, {tree, 1}, kSame, static_cast<std::uint8_t>(tree)});
  }

  /// Places of nodes: those of the first tree in order, of the second mirrored or shifted.
  [[nodiscard]] Node node_of(unsigned tree, Rank rank) const {
    const Node number = line_.place(rank) + (feeder_ ? 0 : 1);
    if (tree == 0 || number == 0) return number;
    if (tree_.nodes() % 2 == 0) return tree_.nodes() + 1 - number;
    return number == 1 ? tree_.nodes() : number - 1;
  }
  [[nodiscard]] Rank rank_of(unsigned tree, Node node) const {
    Node number = node;
    if (tree == 1 && node != 0) {
      number = tree_.nodes() % 2 == 0 ? tree_.nodes() + 1 - node : node % tree_.nodes() + 1;
    }
    return line_.rank(number - (feeder_ ? 0 : 1));
  }

  FromRoot line_;
  bool feeder_;
  InOrderTree tree_;
};

constexpr BlockRange kAll{0, kTrees};

Schedule keep_all(Schedule schedule) {
  schedule.steps = 1;
  schedule.cost = {};
  schedule.rule = [](Rank rank, Step, Ops& ops) { ops.push_back(keep(rank, kAll)); };
  return schedule;
}

}  // namespace

Schedule two_tree_all_reduce(Rank ranks) {
  const TwoTrees trees(FromRoot(ranks, 0), false);
  const std::uint64_t most = std::min<Rank>(ranks, 4);
  const Cost cost{2 * trees.rounds(),           most,         most, most,
                  std::min<Rank>(ranks - 1, 2), trees.steps()};
  const Step up = trees.steps();
  Schedule schedule{"tree", Collective::all_reduce, ranks, kTrees, 2 * up, cost, {}};
  if (ranks == 1) return keep_all(schedule);
  schedule.rule = [trees, up](Rank rank, Step step, Ops& ops) {
    if (step < up) return trees.climb(rank, step, Action::send, Action::reduce, ops);
    trees.climb(rank, 2 * up - 1 - step, Action::receive, Action::send, ops);
  };
  return schedule;
}

Schedule two_tree_broadcast(Rank ranks, Rank root) {
  const TwoTrees trees(FromRoot(ranks, root), true);
  const Cost cost{trees.rounds(), 2, 2, 2, 0, trees.levels()};
  const Step down = trees.steps();
  Schedule schedule{"tree", Collective::broadcast, ranks, kTrees, down + 1, cost, {}, root};
  if (ranks == 1) return keep_all(schedule);
  schedule.rule = [trees, down, root](Rank rank, Step step, Ops& ops) {
    if (step < down) {
      return trees.climb(rank, down - 1 - step, Action::receive, Action::send, ops);
    }
    if (rank == root) ops.push_back(keep(rank, kAll));
  };
  return schedule;
}

Schedule two_tree_reduce(Rank ranks, Rank root) {
  const TwoTrees trees(FromRoot(ranks, root), true);
  const Cost cost{trees.rounds(), 2, 2, 2, 2, trees.levels()};
  Schedule schedule{"tree", Collective::reduce, ranks, kTrees, trees.steps(), cost, {}, root};
  if (ranks == 1) return keep_all(schedule);
  schedule.rule = [trees](Rank rank, Step step, Ops& ops) {
    trees.climb(rank, step, Action::send, Action::reduce, ops);
  };
  return schedule;
}

}  // namespace railgauge::schedule
