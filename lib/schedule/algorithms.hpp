#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

/// An algorithm under the name by which users select it.
struct Algorithm {
  std::string_view name;
  Collective collective = Collective::all_reduce;
  std::string_view about;  // when to use it, in a line
  /// For any number of ranks from 1 on. Throws std::invalid_argument for a team that it cannot
  /// serve: a root that is not one of the ranks; for hierarchical ones, hosts with different
  /// numbers of ranks.
  Schedule (*make)(const Team& team) = nullptr;
};

/// All of them; those of a collective are adjacent, its default first: of all-reduce, at large
/// sizes.
[[nodiscard]] std::span<const Algorithm> algorithms();
[[nodiscard]] std::span<const Algorithm> algorithms(Collective collective);

/// Of that name, or what its family is called elsewhere: one list of ring, tree and
/// halving-doubling means something to all-reduce, all-gather and all-to-all, whose trees are
/// Bruck's rounds and whose halving is the hypercube's. Null if the collective has neither.
[[nodiscard]] const Algorithm* find_algorithm(Collective collective, std::string_view name);

/// "ring, tree, halving-doubling": for messages.
[[nodiscard]] std::string algorithm_names(Collective collective);

// The algorithms themselves. Each is a page, ring.cpp and so on, that opens with its citation and
// its closed-form cost; the tests prove the one and count the other. All throw
// std::invalid_argument for no ranks, or a root that is not one of them.

// ring.cpp: one block a step to the next rank.
[[nodiscard]] Schedule ring_reduce_scatter(Rank ranks);
[[nodiscard]] Schedule ring_all_gather(Rank ranks);
[[nodiscard]] Schedule ring_all_reduce(Rank ranks);

// neighbour.cpp: everything a rank has to the next rank.
[[nodiscard]] Schedule neighbour_all_to_all(Rank ranks);
[[nodiscard]] Schedule neighbour_shift(Rank ranks);

// chain.cpp: a pipeline from the root on, or to it.
[[nodiscard]] Schedule chain_broadcast(Rank ranks, Rank root);
[[nodiscard]] Schedule chain_reduce(Rank ranks, Rank root);

// binomial.cpp: the binomial tree.
[[nodiscard]] Schedule binomial_broadcast(Rank ranks, Rank root);
[[nodiscard]] Schedule binomial_reduce(Rank ranks, Rank root);
[[nodiscard]] Schedule binomial_scatter(Rank ranks, Rank root);
[[nodiscard]] Schedule binomial_gather(Rank ranks, Rank root);
[[nodiscard]] Schedule binomial_all_gather(Rank ranks);

// two_trees.cpp: two binary trees, each with half of the data.
[[nodiscard]] Schedule two_tree_all_reduce(Rank ranks);
[[nodiscard]] Schedule two_tree_broadcast(Rank ranks, Rank root);
[[nodiscard]] Schedule two_tree_reduce(Rank ranks, Rank root);

// halving_doubling.cpp: for powers of two, which they refuse to go without; folded: for any number.
[[nodiscard]] Schedule halving_reduce_scatter(Rank ranks);
[[nodiscard]] Schedule doubling_all_gather(Rank ranks);
[[nodiscard]] Schedule halving_doubling_all_reduce(Rank ranks);
[[nodiscard]] Schedule folded_all_reduce(Rank ranks);

// recursive_doubling.cpp: all data in every round.
[[nodiscard]] Schedule recursive_doubling_all_reduce(Rank ranks);

// circulant.cpp: fewest rounds and fewest bytes for any number of ranks.
[[nodiscard]] Schedule circulant_all_gather(Rank ranks);
[[nodiscard]] Schedule circulant_reduce_scatter(Rank ranks);
[[nodiscard]] Schedule circulant_all_reduce(Rank ranks);

// scatter_gather.cpp: two halves, binomial and circulant.
[[nodiscard]] Schedule scatter_all_gather_broadcast(Rank ranks, Rank root);
[[nodiscard]] Schedule reduce_scatter_gather_reduce(Rank ranks, Rank root);

// direct.cpp: the root, or rank 0, exchanges with every rank at once.
[[nodiscard]] Schedule direct_gather(Rank ranks, Rank root);
[[nodiscard]] Schedule direct_scatter(Rank ranks, Rank root);
[[nodiscard]] Schedule direct_all_reduce(Rank ranks);

// pairwise.cpp: every rank with every other, a permutation a round.
[[nodiscard]] Schedule pairwise_all_to_all(Rank ranks);
[[nodiscard]] Schedule pairwise_all_to_all_v(Rank ranks);

// bruck.cpp, hypercube.cpp: fewer rounds, store and forward.
[[nodiscard]] Schedule bruck_all_to_all(Rank ranks);
[[nodiscard]] Schedule hypercube_all_to_all(Rank ranks);

// dissemination.cpp: the barrier.
[[nodiscard]] Schedule dissemination_barrier(Rank ranks);

// hierarchical.cpp: inside the hosts and along the rails. They throw std::invalid_argument unless
// every host has `per_host` ranks.
enum class Along { circulant, ring };  // which algorithm runs on the rails
[[nodiscard]] Schedule hierarchical_all_reduce(const Team& team, Along along);
[[nodiscard]] Schedule hierarchical_reduce_scatter(const Team& team, Along along);
[[nodiscard]] Schedule hierarchical_all_gather(const Team& team, Along along);
[[nodiscard]] Schedule hierarchical_all_to_all(const Team& team);

}  // namespace railgauge::schedule
