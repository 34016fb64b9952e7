#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/report.hpp"

namespace railgauge::report {

/// One size in one placement.
struct Measured {
  std::uint64_t size_bytes = 0;
  const Json* row = nullptr;        // of the document
  const Json* placement = nullptr;  // of the row
};

/// Rows of a document that differ only in size.
struct RowGroup {
  std::string title{};  // "ring, float sum, rail 0, in place"
  std::vector<Measured> sizes{};
};

/// In the order of the document, which they point into.
std::vector<RowGroup> row_groups_of(const Json& document);

}  // namespace railgauge::report
