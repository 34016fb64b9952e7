#pragma once

#include "verdict/against_reference.hpp"
#include "verdict/finding.hpp"
#include "verdict/run_set.hpp"

namespace railgauge::verdict {

/// Compares a run_set with an earlier one of the same ranks, hosts, NICs and line rate, size by
/// size: the same collective, sweep point, type, op, algorithm and buffer mode. A baseline that is
/// no result of ours has no sweep point, and is compared with all. One-sided.
///
/// A size fails if it is slower by more than the tolerance, and the intervals of the two medians
/// allow no doubt of it: ours ends above theirs plus the tolerance. Without intervals only the
/// ratio is compared, and the finding says so. Plateau and latency fail if they are worse by more
/// than the tolerance, and a size in them fails by itself: noise does not fail a healthy fabric.
Findings against_baseline(const RunSet& run_set, const RunSet& baseline, const Terms& terms);

}  // namespace railgauge::verdict
