#pragma once

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "schedule/op.hpp"

namespace railgauge::schedule {

// The ways in which algorithms number the ranks: around a ring, from the root, folded to a power of
// two, and as the nodes of a binary tree.

/// Throws std::invalid_argument for no ranks.
inline void at_least_one(Rank ranks) {
  if (ranks == 0) throw std::invalid_argument("a collective needs at least one rank");
}

/// Appends an op for `count` blocks from `first` on around a ring of `blocks`, or two ops where the
/// range wraps.
inline void add_around(Action action, Rank peer, Block first, Block count, Block blocks, Ops& ops) {
  const Block here = std::min(count, blocks - first);
  ops.push_back({action, peer, {first, here}});
  if (count > here) ops.push_back({action, peer, {0, count - here}});
}

/// The ranks counted from the root on, around the circle: the root has place 0.
class FromRoot {
 public:
  /// Throws std::invalid_argument for no ranks, or a root that is not one of them.
  FromRoot(Rank ranks, Rank root) : ranks_(ranks), root_(root) {
    at_least_one(ranks);
    if (root < ranks) return;
    throw std::invalid_argument("there is no rank " + std::to_string(root) +
                                " to be the root: ranks are 0 to " + std::to_string(ranks - 1));
  }

  [[nodiscard]] Rank ranks() const { return ranks_; }
  [[nodiscard]] Rank root() const { return root_; }
  [[nodiscard]] Rank place(Rank rank) const { return (rank + ranks_ - root_) % ranks_; }
  [[nodiscard]] Rank rank(Rank place) const { return (place + root_) % ranks_; }

 private:
  Rank ranks_;
  Rank root_;
};

/// How any number of ranks does what a power of two can: the first 2r ranks are r pairs, of which
/// the odd one takes part for both. Says who takes part under which number.
struct Fold {
  Rank taking_part = 1;  // the largest power of two that is not above the number of ranks
  Rank pairs = 0;

  explicit Fold(Rank ranks) : taking_part(std::bit_floor(ranks)), pairs(ranks - taking_part) {}

  [[nodiscard]] bool paired(Rank rank) const { return rank < 2 * pairs; }
  [[nodiscard]] bool waits(Rank rank) const { return paired(rank) && rank % 2 == 0; }
  [[nodiscard]] Rank number(Rank rank) const { return paired(rank) ? rank / 2 : rank - pairs; }
  [[nodiscard]] Rank rank(Rank number) const {
    return number < pairs ? 2 * number + 1 : number + pairs;
  }
};

/// A number of a node: from 1 on; 0 for none.
using Node = Rank;

/// The binary tree of nodes 1 to n in which every node stands between its children's numbers, and
/// its height is its lowest set bit. Of n that is no power of two less one, the right edge is
/// ragged: children may be lower than their parent by more than 1.
class InOrderTree {
 public:
  explicit InOrderTree(Rank nodes) : nodes_(nodes) {}

  [[nodiscard]] Rank nodes() const { return nodes_; }
  [[nodiscard]] Node root() const { return std::bit_floor(nodes_); }
  [[nodiscard]] static Step height(Node node) { return static_cast<Step>(std::countr_zero(node)); }

  [[nodiscard]] Node parent(Node node) const {
    if (node == root()) return 0;
    const Node lowest = node & (~node + 1);
    const Node up = (node ^ lowest) | (lowest << 1);
    return up <= nodes_ ? up : node ^ lowest;
  }
  [[nodiscard]] Node left(Node node) const {
    return height(node) == 0 ? 0 : node - (Node{1} << (height(node) - 1));
  }
  [[nodiscard]] Node right(Node node) const {
    if (height(node) == 0 || node == nodes_) return 0;
    return node + std::min(Node{1} << (height(node) - 1), std::bit_floor(nodes_ - node));
  }
  [[nodiscard]] bool is_right(Node node) const { return node > parent(node) && node != root(); }

 private:
  Rank nodes_;
};

}  // namespace railgauge::schedule
