#pragma once

#include "verdict/finding.hpp"
#include "verdict/policy.hpp"
#include "verdict/run_set.hpp"

namespace railgauge::verdict {

/// Asks of every curve every rule that is about it; a run that no rule is about has no answer, nor
/// has a rule whose figures the result lacks. Then every counter that has to stay, of every port.
Findings against_policy(const RunSet& run_set, const Policy& policy);

}  // namespace railgauge::verdict
