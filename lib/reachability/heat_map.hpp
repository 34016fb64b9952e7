#pragma once

#include <string>

#include "reachability/matrix.hpp"

namespace railgauge::reachability {

/// How fast a pair is compared with those of its kind, in tenths of their median bandwidth: 0 to 9,
/// where 9 is as fast or faster.
int tenths(const Reach& reach, const Kind& kind);

/// The matrix for a terminal, a character a pair, so that 64 NICs fit into 100 columns: a line for
/// each NIC that sends, a column for each that receives; a digit for tenths(), X for
/// unreachable, . for not tested. `colours`: by escape sequences, for terminals only.
std::string heat_map(const Matrix& matrix, bool colours);

/// The same as an SVG document, in which every pair shows its figures when pointed at
/// (picture.cpp).
std::string picture(const Matrix& matrix);

}  // namespace railgauge::reachability
