#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topology/port_pattern.hpp"
#include "topology/rail.hpp"

namespace railgauge::topology {

/// Where a user says that ports of a device are: one of them, or all that can be used.
struct MappedPort {
  std::string device{};
  std::optional<int> port{};
  int rail = 0;
  int plane = -1;       // -1: not said; the ports are planes in their order
  bool prefix = false;  // the device's name only begins so

  friend bool operator==(const MappedPort&, const MappedPort&) = default;
};

/// The first that fits a port counts.
using RailMap = std::vector<MappedPort>;

/// Reads either
/// - "mlx5_0=0,mlx5_1=1", or with ports and planes "mlx5_0:2=0:1"; line ends and blanks separate as
///   commas do, and # begins a comment to the end of its line; a port that is named goes before
///   all ports of its device;
/// - or NCCL_IB_HCA's words, "=mlx5_0:1:0:0,mlx5_1:1:0:1" (port_pattern.hpp).
/// Throws std::invalid_argument unless all entries are of one of these forms, the rails are 0, 1, 2
/// and so on, and no place is given twice. Two entries of one rail have to say their planes.
RailMap parse_rail_map(const std::string& text);

/// From a command line: the map itself if it contains a = or, without a /, a :; else the file that
/// holds it. Throws std::invalid_argument.
RailMap load_rail_map(const std::string& text_or_file);

/// The map that a pattern says; empty if it says no rails. Throws as parse_rail_map().
RailMap rail_map_of(const PortPattern& pattern);

/// The map of devices that are named in order (--devices): one rail each, or as they say in NCCL's
/// words. Throws as parse_rail_map(), and for a name that is there twice.
RailMap rail_map_of_devices(const std::vector<std::string>& devices);

/// Where a map says that a port is; empty if it says nothing of it.
std::optional<RailPlane> mapped_place(const RailMap& map, const std::string& device, int port);

/// "mlx5_0:2"
std::string text_of(const MappedPort& port);

}  // namespace railgauge::topology
