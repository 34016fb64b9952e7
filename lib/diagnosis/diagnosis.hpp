#pragma once

#include <vector>

#include "results/collective.hpp"
#include "results/finding.hpp"
#include "results/rank.hpp"

namespace railgauge::diagnosis {

/// What is wrong with the ports, paths, hosts and ranks of a run, most telling first; empty if
/// nothing stands out, which does not prove that all is well. Every finding names the smallest
/// place that explains what was seen, and its cause as far as that can be told. Pure: the same
/// rows, the same findings.
[[nodiscard]] std::vector<results::Finding> diagnose(
    const std::vector<results::Rank>& ranks, const std::vector<results::CollectiveRow>& rows);

}  // namespace railgauge::diagnosis
