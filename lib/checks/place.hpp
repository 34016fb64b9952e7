#pragma once

#include <string>
#include <vector>

#include "finding/finding.hpp"
#include "topology/rail_rule.hpp"

namespace railgauge::checks {

// Places of hosts as findings have them, and findings about these.

/// A NIC and its host.
struct Placed {
  const topology::Host* host;
  const topology::Nic* nic;
};

/// All NICs of all hosts that are rails, those beyond the others' included.
[[nodiscard]] std::vector<Placed> nics_of(const topology::FoundRails& found);

[[nodiscard]] finding::Location port_of(const Placed& placed);

/// A NIC whichever its port is, with its rail.
[[nodiscard]] finding::Location device_of(const Placed& placed);

/// A port that is no rail of its host, but would be one at `place`.
[[nodiscard]] finding::Location port_of(const topology::Host& host, const std::string& device,
                                        int port, const topology::RailPlane& place);

[[nodiscard]] finding::Location host_of(const topology::Host& host);

/// A rail of all hosts, or one of its planes.
[[nodiscard]] finding::Location rail_of(const topology::RailPlane& place);

/// What was read from hosts, and so is sure.
[[nodiscard]] finding::Finding fact(finding::Cause cause, finding::Location where,
                                    std::string text = "", std::string remedy = "");

/// A fact that is worth knowing, and accuses nobody.
[[nodiscard]] finding::Finding note(finding::Cause cause, finding::Location where,
                                    std::string detail, std::string text = "",
                                    std::string remedy = "");

/// "mlx5_0", "mlx5_0:2", as findings name ports
[[nodiscard]] std::string port_text(const std::string& device, int port);

/// "mlx5_0 10.10.0.7/24"
[[nodiscard]] std::string with_address(const topology::Nic& nic);

/// "host3 mlx5_1 10.11.0.4/24"
[[nodiscard]] std::string with_address(const Placed& placed);

}  // namespace railgauge::checks
