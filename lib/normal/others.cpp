#include "normal/others.hpp"

#include <algorithm>
#include <utility>

#include "measure/statistics.hpp"

namespace railgauge::normal {

double majority(std::span<const double> values) {
  std::vector<double> reversed(values.begin(), values.end());
  for (double& value : reversed) value = -value;
  return (measure::median(values) - measure::median(reversed)) / 2;
}

Others::Others(std::vector<double> values) : values_(std::move(values)), sorted_(values_) {
  std::ranges::sort(sorted_);
}

double Others::of(std::size_t one) const {
  if (values_.size() < 2) return 0;
  const auto own = std::ranges::lower_bound(sorted_, values_[one]);
  const auto at = [&](std::size_t place) {  // of the others
    return sorted_[place + (place < static_cast<std::size_t>(own - sorted_.begin()) ? 0 : 1)];
  };
  const std::size_t count = values_.size() - 1;
  return (at((count - 1) / 2) + at(count / 2)) / 2;
}

}  // namespace railgauge::normal
