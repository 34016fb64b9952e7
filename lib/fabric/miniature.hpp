#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"

namespace railgauge::fabric {

/// A fabric with fewer hosts and the ratios of a design, slow enough for one machine.
struct Miniature {
  Fabric fabric{};
  Count dead_spines = 0;  ///< of the first spines: left out of the list
  std::string balance = "ecmp";
  std::vector<std::string> remarks{};  ///< what it keeps, and what it cannot, a sentence each
};

/// Keeps rails, planes, oversubscription and uplinks per NIC of a leaf. Leaves and hosts of a leaf,
/// and spines and links to each, keep their ratio as far as `hosts` allows. Dead spines keep their
/// share, at least one. Throws std::invalid_argument, one sentence with the nearest possible
/// numbers of hosts.
[[nodiscard]] Miniature miniature_of(const Fabric& design, Count hosts, Count dead_spines = 0);

/// The links as railgauge/fabric/1, for launchers/fabric --topology.
[[nodiscard]] nlohmann::ordered_json as_json(const Miniature& miniature);

}  // namespace railgauge::fabric
