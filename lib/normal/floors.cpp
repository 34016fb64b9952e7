#include "normal/floors.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>

namespace railgauge::normal {
namespace {

/// The value below which that part of them lies.
double below(const std::vector<double>& sorted, double part) {
  return sorted[static_cast<std::size_t>(static_cast<double>(sorted.size() - 1) * part)];
}

double after_gap(const std::vector<double>& sorted, double usual) {
  constexpr double kGap = 2;
  const auto first = std::ranges::lower_bound(sorted, usual);
  const auto gap = std::adjacent_find(
      first, sorted.end(), [](double before, double after) { return after >= kGap * before; });
  return gap == sorted.end() ? std::numeric_limits<double>::infinity() : *std::next(gap);
}

}  // namespace

Floors floors_of(std::vector<double> times, double least_factor) {
  std::ranges::sort(times);
  const double usual = below(times, 0.25);
  const double differ = times.front() > 0 ? usual / times.front() : 1;
  return {.usual = usual,
          .factor = std::max(least_factor, least_factor * std::sqrt(differ)),
          .spread = below(times, 0.5) - times.front(),
          .after_gap = after_gap(times, usual)};
}

}  // namespace railgauge::normal
