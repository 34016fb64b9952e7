#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace railgauge::verdict {

/// Sizes in words, those that follow each other in `all` as one range: "8-4K, 64K". `all` is
/// sorted.
std::string folded_sizes(const std::set<std::uint64_t>& sizes,
                         const std::vector<std::uint64_t>& all);

}  // namespace railgauge::verdict
