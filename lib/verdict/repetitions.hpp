#pragma once

#include <vector>

#include "verdict/run.hpp"

namespace railgauge::verdict {

/// One point for each size, type, op, algorithm and placement: cycles of a sweep repeat them. The
/// repetition with the median time stands for all, of an even number the slower of the two in the
/// middle; the interval of its median spans those of all, since it has to hold for the next cycle
/// too. If one of them has no interval, it has none.
std::vector<Point> without_repetitions(const std::vector<Point>& points);

}  // namespace railgauge::verdict
