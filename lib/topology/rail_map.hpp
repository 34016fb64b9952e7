#pragma once

#include <map>
#include <optional>
#include <string>

#include "topology/rail.hpp"

namespace railgauge::topology {

/// Which rail a port is on because the user says so: "mlx5_0" (its first port) or "mlx5_0:2".
using RailMap = std::map<std::string, int>;

/// Reads "mlx5_0=0,mlx5_1=1"; line ends and blanks separate as commas do, and # begins a comment
/// to the end of its line. Throws std::invalid_argument unless every entry is such, and the
/// rails are 0, 1, 2 and so on, each once.
RailMap parse_rail_map(const std::string& text);

/// Of a command line: the map itself if there is a = in it, else a file with it. Throws
/// std::invalid_argument.
RailMap load_rail_map(const std::string& text_or_file);

/// The rail that a map names for a port; empty if it names none.
std::optional<int> mapped_rail(const RailMap& map, const std::string& device, int port);

}  // namespace railgauge::topology
