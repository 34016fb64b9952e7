#pragma once

#include <string>

#include "reachability/matrix.hpp"

namespace railgauge::reachability {

/// How good a pair is compared with those of its kind, in tenths of their median bandwidth: 0 to 9,
/// where 9 is as quick or quicker.
int tenths(const Reach& reach, const Kind& kind);

/// The matrix for a terminal, a character a pair, so that 64 NICs fit into 100 columns: a line for
/// each NIC that sends, a column for each that receives; a digit for tenths(), X where there is no
/// way, . where none was asked. `colours`: by escape sequences, for terminals only.
std::string heat_map(const Matrix& matrix, bool colours);

/// The same as an SVG document, in which every pair says its figures when pointed at.
std::string picture(const Matrix& matrix);

}  // namespace railgauge::reachability
