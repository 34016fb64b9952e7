#pragma once

#include <cstdint>
#include <span>

// lib/measure holds what turns time stamps into numbers: sizes of a sweep, times of iterations,
// their distribution, bandwidths. It must not know how a collective runs or who reads the numbers.

#include "measure/histogram.hpp"

namespace railgauge::measure {

/// The distribution of one row's iterations, each the slowest rank's: percentiles of ranks' means
/// would hide what is looked for.
struct Summary {
  std::uint64_t n = 0;  // iterations
  double min_us = 0;    // min and max exactly, percentiles to Histogram::kRelativeError
  double p50_us = 0;
  double p90_us = 0;
  double p99_us = 0;
  double p999_us = 0;
  double max_us = 0;
  double mean_us = 0;  // of the bins' middles
};

/// Throws std::out_of_range if nothing was timed.
[[nodiscard]] Summary summarize(const Histogram& times);

/// Standard deviation over mean, from the bins' middles; 0 of nothing.
[[nodiscard]] double variation(const Histogram& times);

/// The middle value of an even number of them is the lower one. Throws std::invalid_argument of
/// nothing.
[[nodiscard]] double median(std::span<const double> values);

}  // namespace railgauge::measure
