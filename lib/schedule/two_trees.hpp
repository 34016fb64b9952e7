#pragma once

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

// Two binary trees at once, each of which carries one half of the data; whoever has children in one
// is a leaf in the other, so that every link is busy both ways all the time. A runner that cuts the
// data into pieces keeps all levels of both busy: long data take hardly more than twice the time of
// one link, and any data 2 floor(log2 n) latencies.
//
// Sanders, Speck and Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan",
// Parallel Computing 35(12), 2009. The first tree is theirs, numbered in order: node v, from 1 on,
// has the height of v's lowest set bit. The second is its mirror image for an even number of nodes,
// and the first shifted by one for an odd number. In one step nobody takes from, or sends to, two
// others in the same tree. Each tree has a channel.
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
//
// Throw std::invalid_argument for no ranks, or a root that is none of them.

[[nodiscard]] Schedule two_tree_all_reduce(Rank ranks);
[[nodiscard]] Schedule two_tree_broadcast(Rank ranks, Rank root);
[[nodiscard]] Schedule two_tree_reduce(Rank ranks, Rank root);

}  // namespace railgauge::schedule
