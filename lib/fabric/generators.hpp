#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "fabric/sizing.hpp"

namespace railgauge::fabric {

/// Why a request cannot be served; sized() adds what can.
struct Impossible : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The fabric of any other generator, with a remark where it differs. Throws Impossible.
[[nodiscard]] Fabric generated(const Request& request, std::vector<std::string>& remarks);

/// Of K-port switches, whatever else is asked for. Throws std::invalid_argument for an odd K.
[[nodiscard]] Fabric fat_tree(const Request& request);

[[nodiscard]] double uplink_gbps(const Request& request);
/// "400G".
[[nodiscard]] std::string of_speed(double gbps);
[[nodiscard]] bool is_prime(Count of);

}  // namespace railgauge::fabric
