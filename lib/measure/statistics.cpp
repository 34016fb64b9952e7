#include "measure/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace railgauge::measure {
namespace {

double mean_us(const Histogram& times) {
  double sum = 0;
  for (const Histogram::Bin& bin : times.bins()) {
    sum += (bin.lower_us + bin.upper_us) / 2 * static_cast<double>(bin.count);
  }
  return std::clamp(sum / static_cast<double>(times.count()), times.min_us(), times.max_us());
}

}  // namespace

Summary summarize(const Histogram& times) {
  return {.n = times.count(),
          .min_us = times.min_us(),
          .p50_us = times.quantile_us(500),
          .p90_us = times.quantile_us(900),
          .p99_us = times.quantile_us(990),
          .p999_us = times.quantile_us(999),
          .max_us = times.max_us(),
          .mean_us = mean_us(times)};
}

double variation(const Histogram& times) {
  if (times.count() == 0) return 0;
  const double mean = mean_us(times);
  double squares = 0;
  for (const Histogram::Bin& bin : times.bins()) {
    const double off = (bin.lower_us + bin.upper_us) / 2 - mean;
    squares += off * off * static_cast<double>(bin.count);
  }
  return std::sqrt(squares / static_cast<double>(times.count())) / mean;
}

double median(std::span<const double> values) {
  if (values.empty()) throw std::invalid_argument("nothing has no median");
  std::vector<double> sorted(values.begin(), values.end());
  const std::size_t middle = (sorted.size() - 1) / 2;
  std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(middle));
  return sorted[middle];
}

}  // namespace railgauge::measure
