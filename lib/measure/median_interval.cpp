#include "measure/median_interval.hpp"

#include <cmath>
#include <cstdint>

namespace railgauge::measure {
namespace {

constexpr std::uint64_t kExactUpTo = 70;

/// The greatest rank below which the median of `n` lies in at most 2.5 % of cases; 0 if there is
/// none. By symmetry the interval's other end is as far from the greatest.
std::uint64_t exact_rank(std::uint64_t n) {
  const double tail = (1 - MedianInterval::kConfidence) / 2;
  double probability = std::pow(0.5, static_cast<double>(n));  // that none is below the median
  double sum = probability;
  std::uint64_t rank = 0;
  while (sum <= tail) {
    ++rank;
    probability *= static_cast<double>(n - rank + 1) / static_cast<double>(rank);
    sum += probability;
  }
  return rank;
}

std::uint64_t approximate_rank(std::uint64_t n) {
  constexpr double kQuantileOfNormal = 1.96;
  const auto size = static_cast<double>(n);
  return static_cast<std::uint64_t>(size / 2 - kQuantileOfNormal * std::sqrt(size) / 2);
}

}  // namespace

std::optional<MedianInterval> median_interval(const Histogram& times) {
  const std::uint64_t n = times.count();
  const std::uint64_t rank = n <= kExactUpTo ? exact_rank(n) : approximate_rank(n);
  if (rank == 0) return std::nullopt;
  return MedianInterval{times.order_statistic_us(rank), times.order_statistic_us(n + 1 - rank)};
}

}  // namespace railgauge::measure
