#pragma once

#include <algorithm>
#include <bit>

#include "schedule/op.hpp"

namespace railgauge::schedule {

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
