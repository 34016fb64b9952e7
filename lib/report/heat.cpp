#include "report/heat.hpp"

#include <algorithm>
#include <cmath>

namespace railgauge::report {

std::string heat(double ratio) {
  constexpr double kSteps = 4;
  const double step = ratio > 1 ? std::floor(2 * std::log2(ratio)) : 0;
  return "heat-" + std::to_string(static_cast<int>(std::min(step, kSteps)));
}

}  // namespace railgauge::report
