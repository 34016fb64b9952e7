#pragma once

#include <string>

#include "topology/host_map.hpp"

namespace railgauge::topology {

/// One of the machines of bundles/make, as recorded.
inline Recording bundle_recording(const std::string& name) {
  return load_recording(RAILGAUGE_BUNDLES "/" + name + ".host");
}

/// The same, as understood.
inline HostMap bundle(const std::string& name) {
  return read_host(bundle_recording(name));
}

}  // namespace railgauge::topology
