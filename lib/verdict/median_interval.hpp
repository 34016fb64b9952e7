#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "verdict/run.hpp"

namespace railgauge::verdict {

/// One bin of a histogram of times.
struct Bin {
  double lower_us = 0;
  double upper_us = 0;
  std::uint64_t count = 0;
};

/// Where the median of what was sampled lies, with a confidence of 95 %: between the order
/// statistics of ranks n/2 -+ 1.96 sqrt(n)/2, whatever the distribution (David & Nagaraja, "Order
/// Statistics", 3rd edition, 7.1). Bins are in order of time. Empty with fewer than 6 times, which
/// allow none.
std::optional<Interval> median_interval(std::span<const Bin> bins);

}  // namespace railgauge::verdict
