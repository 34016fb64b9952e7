#include "measure/statistics.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace railgauge::measure {
namespace {

/// Rounds the rank up in integers: 0.99 * 100 in floating point may land on either side of 99.
double nearest_rank(const std::vector<double>& sorted, std::size_t percent) {
  const std::size_t rank = (sorted.size() * percent + 99) / 100;
  return sorted[rank - 1];
}

}  // namespace

Summary summarize(std::span<const double> times_us) {
  if (times_us.empty()) {
    throw std::invalid_argument("no iteration was timed, so there is nothing to summarise");
  }
  std::vector<double> sorted(times_us.begin(), times_us.end());
  std::ranges::sort(sorted);
  return {.n = sorted.size(),
          .min_us = sorted.front(),
          .p50_us = nearest_rank(sorted, 50),
          .p90_us = nearest_rank(sorted, 90),
          .p99_us = nearest_rank(sorted, 99),
          .max_us = sorted.back()};
}

}  // namespace railgauge::measure
