#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/collective.hpp"

namespace railgauge::report {

/// One size in one buffer mode.
struct SizedMeasurement {
  std::uint64_t size_bytes = 0;
  const results::Measurement* measurement = nullptr;
};

/// Rows of a result that differ only in size.
struct RowGroup {
  std::string title{};                    // "ring, float sum, rail 0, in place"
  std::vector<SizedMeasurement> sizes{};  // at least one
};

/// In the order of the rows, which they point into.
std::vector<RowGroup> row_groups_of(const results::CollectiveBody& body);

}  // namespace railgauge::report
