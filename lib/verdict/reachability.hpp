#pragma once

#include "results/reachability.hpp"
#include "verdict/comparison.hpp"
#include "verdict/finding.hpp"

namespace railgauge::verdict {

/// Everything there is to say of a reachability result: what it found against the fabric fails, and
/// nothing found passes. A baseline is compared path by path, by bandwidth: one that was reached
/// then and is not now fails, and so does one that is slower by more than the tolerance. What only
/// collectives can be held to has no answer.
Findings of_reachability(const results::ReachabilityBody& body, const Criteria& criteria);

}  // namespace railgauge::verdict
