#include "transport/in_process_wire.hpp"

namespace railgauge::transport {

std::unique_ptr<Wire> make_wire(InProcessFabric& fabric, std::string&) {
  return std::make_unique<InProcessWire>(fabric);
}

}  // namespace railgauge::transport
