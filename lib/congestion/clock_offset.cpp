#include "congestion/clock_offset.hpp"

#include <algorithm>
#include <limits>

namespace railgauge::congestion {

std::optional<ClockOffset> clock_offset(std::span<const Meeting> first,
                                        std::span<const Meeting> own) {
  const std::size_t count = std::min(first.size(), own.size());
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  for (std::size_t at = 0; at < count; ++at) {
    least = std::max(least, first[at].entered_s - own[at].left_s);
    most = std::min(most, first[at].left_s - own[at].entered_s);
  }
  if (count == 0 || least > most) return std::nullopt;
  return ClockOffset{.seconds = (least + most) / 2, .uncertainty_s = (most - least) / 2};
}

}  // namespace railgauge::congestion
