#pragma once

#include <string>

#include "topology/host_map.hpp"

namespace railgauge::topology {

/// A port as it was recorded below `path` ("class/infiniband/mlx5_0/ports/1"), with its GIDs in
/// the order of their indices.
RdmaPort read_port(const Recording& recording, const std::string& path, const std::string& number);

}  // namespace railgauge::topology
