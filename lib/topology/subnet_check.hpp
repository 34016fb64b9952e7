#pragma once

#include "topology/rail_check.hpp"

namespace railgauge::topology {

/// Of check_rails(), what concerns the addresses of NICs and the subnets of rails.
void check_subnets(const FoundRails& found, Findings& findings);

}  // namespace railgauge::topology
