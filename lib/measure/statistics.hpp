#pragma once

#include <cstddef>
#include <span>

// lib/measure holds what turns time stamps into numbers: sizes of a sweep, times of iterations,
// their percentiles, bandwidths. It must not know how a collective runs or who reads the numbers.

namespace railgauge::measure {

/// The distribution of one row's iterations. Percentiles are over iterations, by nearest rank: the
/// p-th is the smallest recorded time that at least p % of the iterations did not exceed, so it is
/// always a time that was measured (definition 1 of Hyndman & Fan, "Sample Quantiles in Statistical
/// Packages", The American Statistician 50, 1996).
struct Summary {
  std::size_t n = 0;  // iterations
  double min_us = 0;
  double p50_us = 0;
  double p90_us = 0;
  double p99_us = 0;
  double max_us = 0;
};

/// Summarises iterations. `times_us` holds one time per iteration in microseconds, in any order,
/// each already the slowest rank's: percentiles of ranks' means would hide what is looked for.
/// Copies in order to sort: not for the timed loop. Throws std::invalid_argument if it is empty.
Summary summarize(std::span<const double> times_us);

}  // namespace railgauge::measure
