#include "schedule/algorithms.hpp"

#include <algorithm>
#include <bit>

#include "schedule/numbering.hpp"

namespace railgauge::schedule {

// The binomial tree: the rank at place v, counted from the root, is the parent of v + d for every
// power of two d below v's lowest set bit. Every rank that has the data passes them on in every
// round, so the number of ranks that have them doubles.
//
// Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH",
// International Journal of High Performance Computing Applications 19(1), 2005.
//
// With q = ceil(log2 n), which is the lower bound of rounds, and d = floor(log2 n):
//
//   broadcast   q rounds, depth d; the root sends the data q times   (lower bound 1)
//   reduce      q rounds, depth d; the root takes the data q times   (lower bound 1)
//   scatter     q rounds, depth d; the root sends n-1 blocks         (lower bound n-1)
//   gather      q rounds, depth d; the root takes n-1 blocks         (lower bound n-1)
//   all-gather  2q rounds, depth 2d: gather, then broadcast of all n blocks: rank 0 sends qn blocks
//               (lower bounds q and n-1). For when messages cost more than bytes: all ranks
//               together send n-1 messages in each half.

namespace {

struct Tree {
  FromRoot line;
  Step rounds;

  Tree(Rank ranks, Rank root)
      : line(ranks, root), rounds(static_cast<Step>(std::bit_width(ranks - 1))) {}

  [[nodiscard]] Step depth() const { return static_cast<Step>(std::bit_width(line.ranks()) - 1); }
  /// How many blocks the subtree has that begins at `place` and is at most `most` wide.
  [[nodiscard]] Block width(Rank place, Rank most) const {
    return std::min(most, line.ranks() - place);
  }
  /// The widest subtree but the root's own: that of the farthest child, or of the one before.
  [[nodiscard]] Block widest() const {
    const Rank farthest = rounds == 0 ? 0 : Rank{1} << (rounds - 1);
    return rounds == 0 ? 0 : std::max(line.ranks() - farthest, farthest / 2);
  }
  /// Whether a subtree's blocks pass the end of the circle, and so are two messages: block 0 is
  /// inside of one and not its first.
  [[nodiscard]] bool one_passes_the_end() const {
    return line.root() != 0 && std::popcount(line.ranks() - line.root()) >= 2;
  }
};

/// Who talks to whom over `distance`: the child at v + distance, and the parent at v.
struct Edge {
  bool parent = false;
  bool child = false;
};
Edge edge(const Tree& tree, Rank place, Rank distance) {
  const Rank low = place % (2 * distance);
  return {low == 0 && place + distance < tree.line.ranks(), low == distance};
}

/// Round by round, the farthest first: from parents to their children.
void down(const Tree& tree, Rank rank, Step round, Block blocks, Ops& ops) {
  const Rank distance = Rank{1} << (tree.rounds - 1 - round);
  const Rank at = tree.line.place(rank);
  const auto [parent, child] = edge(tree, at, distance);
  if (parent) ops.push_back({Action::send, tree.line.rank(at + distance), {0, blocks}});
  if (child) ops.push_back({Action::receive, tree.line.rank(at - distance), {0, blocks}});
}

/// The same backwards.
void up(const Tree& tree, Rank rank, Step round, Ops& ops) {
  const Rank distance = Rank{1} << round;
  const Rank at = tree.line.place(rank);
  const auto [parent, child] = edge(tree, at, distance);
  if (parent) ops.push_back({Action::reduce, tree.line.rank(at + distance), {0, 1}});
  if (child) ops.push_back({Action::send, tree.line.rank(at - distance), {0, 1}});
}

/// The child's whole subtree moves over the edge: its blocks are those of its ranks.
void move_subtree(const Tree& tree, Rank rank, Rank distance, Action parent_does, Action child_does,
                  Ops& ops) {
  const Rank at = tree.line.place(rank);
  const auto [parent, child] = edge(tree, at, distance);
  if (!parent && !child) return;
  const Rank below = parent ? at + distance : at;
  const Rank peer = tree.line.rank(parent ? below : at - distance);
  add_around(parent ? parent_does : child_does, peer, tree.line.rank(below),
             tree.width(below, distance), tree.line.ranks(), ops);
}

void scatter(const Tree& tree, Rank rank, Step round, Ops& ops) {
  move_subtree(tree, rank, Rank{1} << (tree.rounds - 1 - round), Action::send, Action::receive,
               ops);
}

void gather(const Tree& tree, Rank rank, Step round, Ops& ops) {
  move_subtree(tree, rank, Rank{1} << round, Action::receive, Action::send, ops);
}

}  // namespace

Schedule binomial_broadcast(Rank ranks, Rank root) {
  const Tree tree(ranks, root);
  const Cost cost{tree.rounds, tree.rounds, tree.rounds, ranks > 1 ? 1U : 0U, 0, tree.depth()};
  const Step steps = tree.rounds + 1;
  Schedule schedule{"binomial", Collective::broadcast, ranks, 1, steps, cost, {}, root};
  schedule.rule = [tree](Rank rank, Step step, Ops& ops) {
    if (step < tree.rounds) return down(tree, rank, step, 1, ops);
    if (rank == tree.line.root()) ops.push_back(keep(rank, {0, 1}));
  };
  return schedule;
}

Schedule binomial_reduce(Rank ranks, Rank root) {
  const Tree tree(ranks, root);
  const std::uint64_t sends = ranks > 1 ? 1 : 0;
  const Cost cost{tree.rounds, sends, sends, tree.rounds, tree.rounds, tree.depth()};
  const Step steps = std::max<Step>(tree.rounds, 1);
  Schedule schedule{"binomial", Collective::reduce, ranks, 1, steps, cost, {}, root};
  schedule.rule = [tree](Rank rank, Step step, Ops& ops) {
    if (tree.rounds == 0) return ops.push_back(keep(rank, {0, 1}));
    up(tree, rank, step, ops);
  };
  return schedule;
}

Schedule binomial_scatter(Rank ranks, Rank root) {
  const Tree tree(ranks, root);
  const std::uint64_t messages = tree.rounds + (tree.one_passes_the_end() ? 1 : 0);
  const Cost cost{tree.rounds, messages, ranks - 1, tree.widest(), 0, tree.depth()};
  const Step steps = tree.rounds + 1;
  Schedule schedule{"binomial", Collective::scatter, ranks, ranks, steps, cost, {}, root};
  schedule.rule = [tree](Rank rank, Step step, Ops& ops) {
    if (step < tree.rounds) return scatter(tree, rank, step, ops);
    if (rank == tree.line.root()) ops.push_back(keep(rank, {rank, 1}));
  };
  return schedule;
}

Schedule binomial_gather(Rank ranks, Rank root) {
  const Tree tree(ranks, root);
  const std::uint64_t messages = (ranks > 1 ? 1 : 0) + (tree.one_passes_the_end() ? 1 : 0);
  const Cost cost{tree.rounds, messages, tree.widest(), ranks - 1, 0, tree.depth()};
  const Step steps = tree.rounds + 1;
  Schedule schedule{"binomial", Collective::gather, ranks, ranks, steps, cost, {}, root};
  schedule.rule = [tree](Rank rank, Step step, Ops& ops) {
    if (step < tree.rounds) return gather(tree, rank, step, ops);
    if (rank == tree.line.root()) ops.push_back(keep(rank, {rank, 1}));
  };
  return schedule;
}

Schedule binomial_all_gather(Rank ranks) {
  const Tree tree(ranks, 0);
  const std::uint64_t received = ranks == 1 ? 0 : ranks + tree.widest() - 1;
  const std::uint64_t sent = std::uint64_t{tree.rounds} * ranks;
  const std::uint64_t rounds = 2 * std::uint64_t{tree.rounds};
  const std::uint64_t depth = 2 * std::uint64_t{tree.depth()};
  const Cost cost{rounds, tree.rounds, sent, received, 0, depth};
  const Step steps = 2 * tree.rounds + 1;
  Schedule schedule{"binomial", Collective::all_gather, ranks, ranks, steps, cost, {}};
  schedule.rule = [tree, ranks](Rank rank, Step step, Ops& ops) {
    if (step < tree.rounds) return gather(tree, rank, step, ops);
    if (step > tree.rounds) return down(tree, rank, step - 1 - tree.rounds, ranks, ops);
    if (rank == 0) ops.push_back(keep(rank, {rank, 1}));
  };
  return schedule;
}

}  // namespace railgauge::schedule
