#pragma once

#include <vector>

#include "finding/finding.hpp"
#include "results/collective.hpp"
#include "results/rank.hpp"

namespace railgauge::diagnosis {

/// What is wrong with the ports, paths, hosts and ranks of a run, most telling first. Empty does
/// not prove that all is well: it takes a difference between places. Every finding names the
/// smallest place that explains what was seen, and its cause as far as that can be told. What ports
/// counted is an error; so is a slow place, but of software devices only if it is slow by far in
/// every row: their times are those of the CPUs. Pure: the same
/// rows, the same findings.
[[nodiscard]] std::vector<finding::Finding> diagnose(
    const std::vector<results::Rank>& ranks, const std::vector<results::CollectiveRow>& rows);

}  // namespace railgauge::diagnosis
