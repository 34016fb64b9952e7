#include "verdict/noise.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "measure/statistics.hpp"

namespace railgauge::verdict {
namespace {

/// Of the tails of a run's own iterations; 0 of a curve that does not tell.
double spread_of(const Curve& curve) {
  constexpr double kNormal90 = 1.2816;
  std::vector<double> deviations;
  for (const Point& point : curve.points) {
    if (!point.time_us || !point.p90_us || *point.time_us <= 0) continue;
    deviations.push_back(std::log(std::max(*point.p90_us / *point.time_us, 1.0)) / kNormal90);
  }
  return deviations.empty() ? 0 : measure::median(deviations);
}

std::vector<double> log_ratios(const Curve& ours, const Curve& theirs) {
  std::vector<double> ratios;
  for (const Point& point : ours.points) {
    const Point* const other = point_at(theirs, point.size_bytes.value_or(0));
    if (other == nullptr || !point.time_us || !other->time_us) continue;
    ratios.push_back(std::log(*point.time_us / *other->time_us));
  }
  return ratios;
}

double jumps_of(const std::vector<double>& ratios) {
  constexpr std::size_t kFewest = 5;
  constexpr double kOfMedian = 1.4826;
  if (ratios.size() < kFewest) return 0;
  std::vector<double> jumps;
  for (std::size_t i = 1; i < ratios.size(); ++i) {
    jumps.push_back(std::abs(ratios[i] - ratios[i - 1]));
  }
  return measure::median(jumps) * kOfMedian / std::sqrt(2.0);
}

}  // namespace

Noise noise_of(const Curve& ours, const Curve& theirs) {
  const double of_baseline = spread_of(theirs);
  return {of_baseline,
          std::max({of_baseline, spread_of(ours), jumps_of(log_ratios(ours, theirs))})};
}

}  // namespace railgauge::verdict
