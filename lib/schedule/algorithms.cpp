#include "schedule/algorithms.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "schedule/circulant.hpp"
#include "schedule/halving_doubling.hpp"
#include "schedule/ring.hpp"

namespace railgauge::schedule {
namespace {

template <Schedule (*PowerOfTwo)(Rank), Schedule (*AnyNumber)(Rank)>
Schedule halving_doubling(Rank ranks) {
  return std::has_single_bit(ranks) ? PowerOfTwo(ranks) : AnyNumber(ranks);
}

constexpr std::array<Algorithm, 10> kAlgorithms{{
    {"ring", Collective::all_reduce, ring_all_reduce},
    {"halving-doubling", Collective::all_reduce,
     halving_doubling<halving_doubling_all_reduce, circulant_all_reduce>},
    {"circulant", Collective::all_reduce, circulant_all_reduce},
    {"folded", Collective::all_reduce, folded_all_reduce},
    {"ring", Collective::reduce_scatter, ring_reduce_scatter},
    {"halving-doubling", Collective::reduce_scatter,
     halving_doubling<halving_reduce_scatter, circulant_reduce_scatter>},
    {"circulant", Collective::reduce_scatter, circulant_reduce_scatter},
    {"ring", Collective::all_gather, ring_all_gather},
    {"halving-doubling", Collective::all_gather,
     halving_doubling<doubling_all_gather, circulant_all_gather>},
    {"circulant", Collective::all_gather, circulant_all_gather},
}};

}  // namespace

std::span<const Algorithm> algorithms() {
  return kAlgorithms;
}

const Algorithm* find_algorithm(Collective collective, std::string_view name) {
  const auto* const found = std::ranges::find_if(kAlgorithms, [&](const Algorithm& algorithm) {
    return algorithm.collective == collective && algorithm.name == name;
  });
  return found == kAlgorithms.end() ? nullptr : found;
}

}  // namespace railgauge::schedule
