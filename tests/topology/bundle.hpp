#pragma once

#include <string>

#include "topology/host_map.hpp"

namespace railgauge::topology {

/// One of the machines of bundles/make, as recorded and as understood.
Recording bundle_recording(const std::string& name);
HostMap bundle(const std::string& name);

}  // namespace railgauge::topology
