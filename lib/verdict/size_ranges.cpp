#include "verdict/size_ranges.hpp"

#include "measure/sizes.hpp"

namespace railgauge::verdict {

std::string folded_sizes(const std::set<std::uint64_t>& sizes,
                         const std::vector<std::uint64_t>& all) {
  std::string text;
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (!sizes.contains(all[at])) continue;
    std::size_t last = at;
    while (last + 1 < all.size() && sizes.contains(all[last + 1])) ++last;
    text += (text.empty() ? "" : ", ") + measure::format_size(all[at]);
    if (last < at + 2) continue;  // two are no range
    text += "-" + measure::format_size(all[last]);
    at = last;
  }
  return text;
}

}  // namespace railgauge::verdict
