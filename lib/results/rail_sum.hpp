#pragma once

#include <string>
#include <vector>

#include "results/collective.hpp"

namespace railgauge::results {

/// What rails do together, against what each does by itself (--rails each,all): less than the sum
/// shows that they share something that is narrower than they are.
struct RailSum {
  const CollectiveRow* together = nullptr;
  double alone_gigabytes_per_second = 0;  // busbw, added up over the rails
  double together_gigabytes_per_second = 0;
};

/// Of the largest size of every setting that was run on several rails together and on each of them
/// by itself, out of place. The rows have to outlive it.
[[nodiscard]] std::vector<RailSum> rail_sums(const std::vector<CollectiveRow>& rows);

/// A line for a table, beginning with #.
[[nodiscard]] std::string line_of(const RailSum& sum);

}  // namespace railgauge::results
