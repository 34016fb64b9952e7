#pragma once

#include <vector>

namespace railgauge::draw {

/// 1, 2 or 5 times a power of ten, and not below `value`; 1 of what is not above 0.
[[nodiscard]] double rounded_up(double value);

/// Round numbers from `from` to `to`, evenly apart: about `most` of them, and no more than one
/// above that.
[[nodiscard]] std::vector<double> ticks(double from, double to, int most);

}  // namespace railgauge::draw
