#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/pairs.hpp"
#include "results/soak.hpp"
#include "verdict/row.hpp"

namespace railgauge::verdict {

/// Of latencies: how many, and 5 %, 10 %, ... 95 % of them took no longer.
struct Distribution {
  std::uint64_t messages = 0;
  std::vector<double> quantiles_us{};
};

/// One figure of a result that has no curves, by which it is compared with an earlier result.
struct Keyed {
  std::string key{};  ///< the same in both, and unique in each
  Row row{};          ///< what it is, with `ours` and its unit
  bool more_is_better = false;
  std::string failed{};                 ///< why there is no figure
  std::string excuse{};                 ///< why it may be worse on a healthy fabric
  std::optional<double> undisturbed{};  ///< the figure at a full share of the CPU
  double tolerance = 0;                 ///< at least
  std::optional<Distribution> times{};  ///< if that has to differ, too
  std::string path{};                   ///< the switches it passes; empty: not known
  bool counts_events = false;           ///< fails only where the baseline has none
};

/// Compares figures with those of an earlier result, key by key, one-sided. What is worse by more
/// than the tolerance fails. Latencies have to be distributed otherwise, too: a two-sample
/// Kolmogorov-Smirnov test of the quantiles rejects that they are alike (1 %, and by more than the
/// quantiles leave open). What an excuse explains, and what the baseline lacks, is open; what only
/// the baseline has leaves the outcome open (report_of()): nobody knows whether it still works.
[[nodiscard]] Rows against_keyed(const std::vector<Keyed>& ours, const std::vector<Keyed>& theirs,
                                 const std::string& criterion, double tolerance);

/// The figures of a kind; a kind that has curves, or nothing to compare, has none.
template <class Body>
[[nodiscard]] std::vector<Keyed> keyed_of(const Body& /*body*/, const finding::Report& /*own*/) {
  return {};
}
[[nodiscard]] std::vector<Keyed> keyed_of(const results::PairsBody& body,
                                          const finding::Report& own);
/// Of each phase the median and the tail; and the windows in which each cause was found.
[[nodiscard]] std::vector<Keyed> keyed_of(const results::SoakBody& body,
                                          const finding::Report& own);

}  // namespace railgauge::verdict
