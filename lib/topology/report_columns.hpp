#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/report.hpp"

namespace railgauge::topology {

/// A port of a picture. Points into the report.
struct Column {
  const RdmaDevice* device = nullptr;
  const RdmaPort* port = nullptr;  // nullptr: nothing is known of its ports
  int rail = -1;
};

/// A NUMA node with the ports beside it; without a node those that are nowhere.
struct Group {
  const NumaNode* node = nullptr;
  std::vector<Column> columns{};
  std::vector<std::size_t> ranks{};
};

/// All of a host that is drawn: nodes by number, their rails in order, then what is no rail. `host`
/// has to outlive it.
std::vector<Group> groups_of(const HostReport& host);

/// "mlx5_0:1"
std::string name_of(const Column& column);

/// What stands below the name: PCI address and link, speed and state, network device, address.
std::vector<std::string> lines_of(const Column& column);

/// "64 GiB", of a node's memory.
std::string gibibytes(std::uint64_t bytes);

}  // namespace railgauge::topology
