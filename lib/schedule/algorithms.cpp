#include "schedule/algorithms.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace railgauge::schedule {
namespace {

template <Schedule (*Make)(Rank)>
Schedule flat(const Team& team) {
  return Make(team.ranks);
}

template <Schedule (*Make)(Rank, Rank)>
Schedule rooted(const Team& team) {
  return Make(team.ranks, team.root);
}

template <Schedule (*Make)(const Team&, Along), Along along>
Schedule by_rails(const Team& team) {
  return Make(team, along);
}

template <Schedule (*PowerOfTwo)(Rank), Schedule (*AnyNumber)(Rank)>
Schedule halving_doubling(const Team& team) {
  return std::has_single_bit(team.ranks) ? PowerOfTwo(team.ranks) : AnyNumber(team.ranks);
}

constexpr std::string_view kRing = "fewest bytes, a round for every rank: large sizes, few ranks";
constexpr std::string_view kHalving = "fewest bytes, log2 n rounds: powers of two, else circulant";
constexpr std::string_view kCirculant = "fewest bytes and fewest rounds for any number of ranks";
constexpr std::string_view kBinomial = "fewest rounds: small sizes";
constexpr std::string_view kTwoTrees = "two binary trees, pipelined: medium and large sizes";
constexpr std::string_view kChain = "a pipeline from rank to rank: large sizes, few ranks";
constexpr std::string_view kRails = "inside the host, along each rail, inside the host";
constexpr std::string_view kRailRings = "the same, with rings along the rails";

constexpr std::array kAlgorithms{
    Algorithm{"ring", Collective::all_reduce, kRing, flat<ring_all_reduce>},
    Algorithm{"tree", Collective::all_reduce, kTwoTrees, flat<two_tree_all_reduce>},
    Algorithm{"halving-doubling", Collective::all_reduce, kHalving,
              halving_doubling<halving_doubling_all_reduce, circulant_all_reduce>},
    Algorithm{"doubling", Collective::all_reduce, "all data in every round: smallest sizes",
              flat<recursive_doubling_all_reduce>},
    Algorithm{"direct", Collective::all_reduce,
              "all data to one rank and back: smallest sizes, few ranks, on one host",
              flat<direct_all_reduce>},
    Algorithm{"circulant", Collective::all_reduce, kCirculant, flat<circulant_all_reduce>},
    Algorithm{"folded", Collective::all_reduce,
              "classical halving-doubling for any number of ranks: for comparison",
              flat<folded_all_reduce>},
    Algorithm{"hierarchical", Collective::all_reduce, kRails,
              by_rails<hierarchical_all_reduce, Along::circulant>},
    Algorithm{"hierarchical-ring", Collective::all_reduce, kRailRings,
              by_rails<hierarchical_all_reduce, Along::ring>},

    Algorithm{"ring", Collective::reduce_scatter, kRing, flat<ring_reduce_scatter>},
    Algorithm{"halving-doubling", Collective::reduce_scatter, kHalving,
              halving_doubling<halving_reduce_scatter, circulant_reduce_scatter>},
    Algorithm{"circulant", Collective::reduce_scatter, kCirculant, flat<circulant_reduce_scatter>},
    Algorithm{"hierarchical", Collective::reduce_scatter, kRails,
              by_rails<hierarchical_reduce_scatter, Along::circulant>},
    Algorithm{"hierarchical-ring", Collective::reduce_scatter, kRailRings,
              by_rails<hierarchical_reduce_scatter, Along::ring>},

    Algorithm{"ring", Collective::all_gather, kRing, flat<ring_all_gather>},
    Algorithm{"bruck", Collective::all_gather, kCirculant, flat<circulant_all_gather>},
    Algorithm{"halving-doubling", Collective::all_gather, kHalving,
              halving_doubling<doubling_all_gather, circulant_all_gather>},
    Algorithm{"tree", Collective::all_gather,
              "binomial gather, then broadcast: fewest messages, many bytes",
              flat<binomial_all_gather>},
    Algorithm{"hierarchical", Collective::all_gather, kRails,
              by_rails<hierarchical_all_gather, Along::circulant>},
    Algorithm{"hierarchical-ring", Collective::all_gather, kRailRings,
              by_rails<hierarchical_all_gather, Along::ring>},

    Algorithm{"pairwise", Collective::all_to_all,
              "fewest bytes, directly to every rank: all but small sizes",
              flat<pairwise_all_to_all>},
    Algorithm{"ring", Collective::all_to_all, "between neighbours only, store and forward",
              flat<neighbour_all_to_all>},
    Algorithm{"bruck", Collective::all_to_all, "fewest rounds, store and forward: small sizes",
              flat<bruck_all_to_all>},
    Algorithm{"hypercube", Collective::all_to_all,
              "dimension by dimension: small sizes, rank counts with small factors",
              flat<hypercube_all_to_all>},
    Algorithm{"hierarchical", Collective::all_to_all,
              "inside the host to the destination's rail, then along it", hierarchical_all_to_all},

    Algorithm{"pairwise", Collective::all_to_all_v, "fewest bytes, directly to every rank",
              flat<pairwise_all_to_all_v>},

    Algorithm{"tree", Collective::broadcast, kTwoTrees, rooted<two_tree_broadcast>},
    Algorithm{"binomial", Collective::broadcast, kBinomial, rooted<binomial_broadcast>},
    Algorithm{"chain", Collective::broadcast, kChain, rooted<chain_broadcast>},
    Algorithm{"halving-doubling", Collective::broadcast, "scatter, then all-gather: large sizes",
              rooted<scatter_all_gather_broadcast>},

    Algorithm{"tree", Collective::reduce, kTwoTrees, rooted<two_tree_reduce>},
    Algorithm{"binomial", Collective::reduce, kBinomial, rooted<binomial_reduce>},
    Algorithm{"chain", Collective::reduce, kChain, rooted<chain_reduce>},
    Algorithm{"halving-doubling", Collective::reduce, "reduce-scatter, then gather: large sizes",
              rooted<reduce_scatter_gather_reduce>},

    Algorithm{"direct", Collective::gather, "every rank to the root at once",
              rooted<direct_gather>},
    Algorithm{"binomial", Collective::gather, kBinomial, rooted<binomial_gather>},
    Algorithm{"direct", Collective::scatter, "the root to every rank at once",
              rooted<direct_scatter>},
    Algorithm{"binomial", Collective::scatter, kBinomial, rooted<binomial_scatter>},

    Algorithm{"neighbour", Collective::sendrecv, "every rank to the next", flat<neighbour_shift>},
    Algorithm{"dissemination", Collective::barrier, "fewest rounds", flat<dissemination_barrier>},
};

/// What the member of a family is called in a collective that does not know it by the family's
/// name.
struct Relative {
  Collective collective;
  std::string_view family;
  std::string_view name;
};
constexpr std::array kRelatives{
    Relative{Collective::all_to_all, "tree", "bruck"},  // log2 n rounds, blocks relayed
    Relative{Collective::all_to_all, "halving-doubling", "hypercube"},
};

std::string_view own_name(Collective collective, std::string_view name) {
  for (const Relative& one : kRelatives) {
    if (one.collective == collective && one.family == name) return one.name;
  }
  return name;
}

}  // namespace

std::span<const Algorithm> algorithms() {
  return kAlgorithms;
}

std::span<const Algorithm> algorithms(Collective collective) {
  const auto first = std::ranges::find(kAlgorithms, collective, &Algorithm::collective);
  const auto last = std::find_if(first, kAlgorithms.end(), [&](const Algorithm& algorithm) {
    return algorithm.collective != collective;
  });
  return {first, last};
}

const Algorithm* find_algorithm(Collective collective, std::string_view name) {
  const std::string_view own = own_name(collective, name);
  for (const Algorithm& algorithm : algorithms(collective)) {
    if (algorithm.name == own) return &algorithm;
  }
  return nullptr;
}

std::string algorithm_names(Collective collective) {
  std::string names;
  for (const Algorithm& algorithm : algorithms(collective)) {
    names += (names.empty() ? "" : ", ") + std::string(algorithm.name);
  }
  return names;
}

}  // namespace railgauge::schedule
