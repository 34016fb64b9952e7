#pragma once

#include "finding/outcome.hpp"

namespace railgauge::finding {

/// Puts `newer` in place of what `report` has of the same checks.
void replace_checks(Report& report, Report newer);

}  // namespace railgauge::finding
