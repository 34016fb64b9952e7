#include "metrics/time_histogram.hpp"

#include <algorithm>

namespace railgauge::metrics {

void TimeHistogram::add(double seconds, std::uint64_t count) {
  const auto bound = std::ranges::lower_bound(kBoundsSeconds, seconds);
  counts_.at(static_cast<std::size_t>(bound - kBoundsSeconds.begin())) += count;
  sum_seconds_ += seconds * static_cast<double>(count);
}

}  // namespace railgauge::metrics
