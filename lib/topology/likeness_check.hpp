#pragma once

#include "topology/rail_check.hpp"

namespace railgauge::topology {

/// Of check_rails(), what concerns how NICs are built and configured: speeds, PCI links, NUMA
/// nodes, GUIDs, models, firmware, MTU.
void check_likeness(const FoundRails& found, Findings& findings);

}  // namespace railgauge::topology
