#pragma once

#include <cstdint>
#include <functional>
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

/// A figure or table of each group, folded up but for the first; of more than `most` it is said how
/// many there are. `inner_of` has the HTML, empty if there is nothing; `first`: it will be open.
using InnerOf = std::function<std::string(const RowGroup& group, bool first)>;
std::string folded_groups(const results::CollectiveBody& body, std::size_t most,
                          const InnerOf& inner_of);

}  // namespace railgauge::report
