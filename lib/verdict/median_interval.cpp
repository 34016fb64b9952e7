#include "verdict/median_interval.hpp"

#include <cmath>

namespace railgauge::verdict {
namespace {

constexpr double kDeviations = 1.96;  // of 95 %
constexpr double kFewest = 6;         // 2^-5 of five times lie on one side of the median

/// The bin that holds the time of a rank, counted from 1.
const Bin& bin_of(std::span<const Bin> bins, double rank) {
  double below = 0;
  for (const Bin& bin : bins) {
    below += static_cast<double>(bin.count);
    if (below >= rank) return bin;
  }
  return bins.back();
}

}  // namespace

std::optional<Interval> median_interval(std::span<const Bin> bins) {
  double n = 0;
  for (const Bin& bin : bins) n += static_cast<double>(bin.count);
  if (n < kFewest) return std::nullopt;
  const double half_width = kDeviations * std::sqrt(n) / 2;
  const double low = std::max(1.0, std::floor(n / 2 - half_width));
  const double high = std::min(n, std::ceil(n / 2 + half_width) + 1);
  return Interval{bin_of(bins, low).lower_us, bin_of(bins, high).upper_us};
}

}  // namespace railgauge::verdict
