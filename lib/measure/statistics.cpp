#include "measure/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
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
  if (values.empty()) throw std::invalid_argument("the median of no values does not exist");
  std::vector<double> sorted(values.begin(), values.end());
  const std::size_t middle = (sorted.size() - 1) / 2;
  std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(middle));
  return sorted[middle];
}

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

namespace {

using Cells = std::vector<std::uint64_t>;

constexpr std::uint64_t kFewest = 20;
constexpr std::uint64_t kLeastShare = 10;  // a tenth
constexpr std::size_t kFarthestOfOneGroup = 2;

Cells cells_of(const Histogram& times) {
  constexpr double kCell = 1.05;
  const auto bins = times.bins();
  const double least = std::max(bins.front().lower_us, 1e-3);
  Cells cells;
  for (const Histogram::Bin& bin : bins) {
    const double ratio = std::max(bin.lower_us, least) / least;
    const auto cell = static_cast<std::size_t>(std::log(ratio) / std::log(kCell));
    cells.resize(std::max(cells.size(), cell + 1));
    cells[cell] += bin.count;
  }
  return cells;
}

/// Whether a cell is a peak above a valley, and not only higher by chance.
bool rises(std::uint64_t valley, std::uint64_t cell) {
  constexpr double kDeviations = 3;
  const auto count = static_cast<double>(cell);
  const double rise = count - static_cast<double>(valley);
  return rise > count / 2 && rise > kDeviations * std::sqrt(count);
}

/// Whether there is another peak to the right of the highest one, which is the first of the cells.
bool second_peak(std::span<const std::uint64_t> cells, std::uint64_t all) {
  std::uint64_t valley = cells[0];
  std::uint64_t beyond = std::accumulate(cells.begin(), cells.end(), std::uint64_t{0});
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool far = i > kFarthestOfOneGroup && beyond * kLeastShare >= all;
    if (far && rises(valley, cells[i])) return true;
    if (cells[i] < valley) {
      valley = cells[i];
      beyond = std::accumulate(cells.begin() + static_cast<std::ptrdiff_t>(i), cells.end(),
                               std::uint64_t{0});
    }
  }
  return false;
}

}  // namespace

bool is_bimodal(const Histogram& times) {
  if (times.count() < kFewest) return false;
  Cells cells = cells_of(times);
  const auto highest = std::ranges::max_element(cells);
  if (second_peak({highest, cells.end()}, times.count())) return true;
  const std::size_t left = static_cast<std::size_t>(highest - cells.begin()) + 1;
  std::ranges::reverse(cells);
  return second_peak(std::span(cells).last(left), times.count());
}

std::optional<Straggler> find_straggler(std::span<const double> own_us, double iteration_us) {
  constexpr std::size_t kFewestRanks = 3;
  constexpr double kDeviations = 3;
  constexpr double kLeastPart = 0.25;
  if (own_us.size() < kFewestRanks) return std::nullopt;
  const double usual = median(own_us);
  std::vector<double> deviations(own_us.begin(), own_us.end());
  for (double& value : deviations) value = std::abs(value - usual);
  const auto slowest = std::ranges::max_element(own_us);
  const double late = *slowest - usual;
  if (late <= kDeviations * median(deviations) || late <= kLeastPart * iteration_us) {
    return std::nullopt;
  }
  return Straggler{static_cast<std::size_t>(slowest - own_us.begin()), *slowest, usual};
}

}  // namespace railgauge::measure
