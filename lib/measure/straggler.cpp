#include "measure/straggler.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "measure/statistics.hpp"

namespace railgauge::measure {

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
