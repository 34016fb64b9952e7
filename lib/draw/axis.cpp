#include "draw/axis.hpp"

#include <cmath>

namespace railgauge::draw {

double rounded_up(double value) {
  if (value <= 0) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (value <= digit * power) return digit * power;
  }
  return 10 * power;
}

std::vector<double> ticks(double from, double to, int most) {
  std::vector<double> places;
  const double apart = rounded_up((to - from) / most);
  for (double nth = std::ceil(from / apart); nth * apart <= to; ++nth)
    places.push_back(nth * apart);
  return places;
}

}  // namespace railgauge::draw
