#pragma once

#include <string>

#include "pairs/map.hpp"

namespace railgauge::pairs {

/// How fast a path is in tenths of what it is compared with: 0 to 9, where 9 is as fast or faster.
[[nodiscard]] int tenths(const Map::Cell& cell);

/// The map for a terminal, a character a path, so that 64 NICs fit into 100 columns: a line for
/// each NIC that sends, a column for each that receives; a digit for tenths(), X for what does not
/// work, . for not tested. `colours`: by escape sequences, for terminals only.
[[nodiscard]] std::string heat_map(const Map& map, bool colours);

/// The same as an SVG document, in which every path shows its figures when pointed at
/// (picture.cpp).
[[nodiscard]] std::string picture(const Map& map);

}  // namespace railgauge::pairs
