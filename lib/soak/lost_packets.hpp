#pragma once

#include <vector>

#include "soak/places.hpp"

namespace railgauge::soak {

/// What a port counted of packets that did not arrive whole.
struct PortLoss {
  const PortSample* port = nullptr;
  std::int64_t sent = 0;      // packets that it sent; the counter that tells of most
  std::int64_t received = 0;  // that were sent to it
  std::int64_t either = 0;    // of which it cannot be told
  std::map<std::string, std::int64_t> counters{};
};

/// Names the smallest place that explains what the ports of one rail counted in a window: the port
/// to which they were sent, the one that sent them, the path between these, or the rail. `ports` is
/// not empty.
[[nodiscard]] Event blame(EventKind kind, const Window& window, const std::vector<PortLoss>& ports,
                          const Places& places);

}  // namespace railgauge::soak
