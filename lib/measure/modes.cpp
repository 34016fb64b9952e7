#include "measure/modes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace railgauge::measure {
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

/// Whether a cell is a peak beside a valley, and not only a little more by chance.
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

}  // namespace railgauge::measure
