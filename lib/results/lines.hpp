#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/document.hpp"

namespace railgauge::results {

// A run as lines that are added while it goes on. None has a line feed at its end.

/// JSON Lines: a document's head when it begins, its rows as they are measured, its head again when
/// it has ended. A head is a document (railgauge/result/2) without rows; a row is railgauge/row/2.
[[nodiscard]] std::string head_line(const Document& document);
[[nodiscard]] std::string row_line(const Document& document, std::size_t row);

/// A table for statistics programs: one column for each thing that was chosen, then for each that
/// was measured; a line for each row, and of a collective for each buffer mode. What is unknown is
/// empty. The names say the units.
[[nodiscard]] std::string csv_header(const Body& body);
[[nodiscard]] std::vector<std::string> csv_lines(const Document& document, std::size_t row);

}  // namespace railgauge::results
