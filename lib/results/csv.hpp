#pragma once

#include <string>
#include <vector>

#include "results/document.hpp"

namespace railgauge::results {

/// A run as a table for statistics programs: one line for each row and placement, one column for
/// each thing that was chosen, then for each that was measured. Commas between, no blanks; what is
/// unknown is empty. The names say the units.
[[nodiscard]] std::string csv_header(const Body& body);
[[nodiscard]] std::vector<std::string> csv_lines(const Document& document, std::size_t number);

}  // namespace railgauge::results
