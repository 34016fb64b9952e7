#pragma once

#include "topology/rail_check.hpp"

namespace railgauge::topology {

/// Of check_rails(), what concerns rails that a host has with some of their planes only.
void check_planes(const FoundRails& found, Findings& findings);

}  // namespace railgauge::topology
