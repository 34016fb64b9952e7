#include "topology/bundle.hpp"

namespace railgauge::topology {

Recording bundle_recording(const std::string& name) {
  return load_recording(RAILGAUGE_BUNDLES "/" + name + ".host");
}

HostMap bundle(const std::string& name) {
  return read_host(bundle_recording(name));
}

}  // namespace railgauge::topology
