#pragma once

#include <string>

#include "results/document.hpp"

namespace railgauge::results {

/// A document as JSON Lines: its head when it begins, its rows as they are measured, its head again
/// when it has ended. A head is a document (railgauge/result/1) without rows; a row is
/// railgauge/row/1. No line has a line feed in it or at its end.
[[nodiscard]] std::string head_line(const Document& document);
[[nodiscard]] std::string row_line(const Document& document, std::size_t number);

}  // namespace railgauge::results
