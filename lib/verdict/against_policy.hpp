#pragma once

#include "verdict/finding.hpp"
#include "verdict/measurement.hpp"
#include "verdict/policy.hpp"

namespace railgauge::verdict {

/// Asks of every curve every rule that is about it; a run that no rule is about has no answer, nor
/// has a rule whose figures the result lacks. Then every counter that has to stay, of every port.
Findings against_policy(const Measurement& measurement, const Policy& policy);

}  // namespace railgauge::verdict
