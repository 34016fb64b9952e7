#pragma once

#include <vector>

#include "pairs/scale.hpp"
#include "pairs/selection.hpp"

namespace railgauge::pairs {

/// What is wrong, of rows that have a verdict; causes before what they explain:
/// - a port of which no pair works, or none across rails, or none that it sends or receives, once,
///   with its rows;
/// - a port that looks slow in everything that it sends, or receives, and in two pairs of it was
///   seen so alone, likewise; of latency, a round trip, both ways if its pairs of both are slow;
/// - every other pair that failed or is slow, and was seen so alone;
/// - pairs that are only possibly so, with the excuse; of many the worst each, the rest in one;
/// - as warnings: pairs that work and failed in another attempt, and paths over more switches that
///   are slower than those over fewer.
[[nodiscard]] std::vector<finding::Finding> findings_of(
    const std::vector<results::PairRow>& rows, const Scale& scale,
    const std::vector<results::PairsSummary>& summaries);

/// Hosts without a rail that most hosts have, since a port that is down is in no pair; a plane of a
/// rail does not count. A rail that most hosts lack is a warning: it takes nothing from the pairs
/// that are tested.
[[nodiscard]] std::vector<finding::Finding> findings_of_hosts(const std::vector<Nic>& nics);

}  // namespace railgauge::pairs
