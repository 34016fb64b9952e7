#pragma once

#include <optional>

#include "measure/histogram.hpp"

namespace railgauge::measure {

/// Where the median of a distribution lies with 95 % confidence, whatever its form.
struct MedianInterval {
  static constexpr double kConfidence = 0.95;
  double low_us = 0;
  double high_us = 0;
};

/// Between two order statistics, as Hoefler & Belli ("Scientific Benchmarking of Parallel Computing
/// Systems", SC'15, rule 5) ask for: exactly by the binomial distribution for up to 70 durations,
/// by its normal approximation beyond (J.-Y. Le Boudec, "Performance Evaluation of Computer and
/// Communication Systems", 2010, theorem 2.1 and table A.1). Fewer than six durations have none.
[[nodiscard]] std::optional<MedianInterval> median_interval(const Histogram& times);

}  // namespace railgauge::measure
