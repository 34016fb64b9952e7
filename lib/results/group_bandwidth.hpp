#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/collective.hpp"

namespace railgauge::results {

/// What one of the groups that ran at the same time (--split) reached.
struct GroupBandwidth {
  std::size_t group = 0;  // its number in CollectiveBody::groups
  double busbw_gigabytes_per_second = 0;
};

/// Of each group, the slowest first: the row's busbw, for the median of the group's slowest rank in
/// place of the row's time. Empty without groups, or where a rank has no median.
[[nodiscard]] std::vector<GroupBandwidth> group_bandwidths(
    const std::vector<std::vector<std::uint32_t>>& groups, const Measurement& measured);

/// "# Groups, slowest first, busbw in GB/s: 3 (ranks 3 7) 22.1, ...", a line for a table, out of
/// place; of many groups the slowest 8. Empty without groups.
[[nodiscard]] std::string line_of_groups(const CollectiveBody& body, const CollectiveRow& row);

}  // namespace railgauge::results
