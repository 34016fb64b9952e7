#pragma once

#include "softfabric/description.hpp"

namespace railgauge::softfabric {

/// Whether a fabric can be built: names once each and fit for netdevs, links between what there is,
/// every host attached, sensible thresholds, faults at what there is. Throws std::runtime_error
/// with the place of the first mistake.
void check(const Fabric& fabric);

}  // namespace railgauge::softfabric
