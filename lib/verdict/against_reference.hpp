#pragma once

#include <string>

#include "verdict/finding.hpp"
#include "verdict/reference.hpp"
#include "verdict/run_set.hpp"
#include "verdict/terms.hpp"

namespace railgauge::verdict {

/// Compares every curve of a run_set with the published run of its collective whose number of
/// hosts is nearest, in its buffer mode and, if there is one, its type. One-sided: faster than the
/// reference always passes.
///
/// A size at which the reference has at least half of its plateau is judged by bandwidth, as a
/// share of line rate (Terms::absolute: in GB/s); a smaller one by time, and only with as many
/// ranks on as many hosts, since time grows with them. The plateau is judged for itself, and so is
/// the latency, the shortest time. Runs that are no target for NICs are refused with the reason
/// (line_rate.hpp).
Findings against_reference(const RunSet& run_set, const Reference& reference, const Terms& terms);

}  // namespace railgauge::verdict
