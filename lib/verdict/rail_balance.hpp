#pragma once

#include "verdict/curve.hpp"

namespace railgauge::verdict {

/// The point of a curve whose rails differ most in their times; null if it has none on several
/// rails. Sizes below a sixteenth of the largest are left out: there a rail's time is chance.
const Point* most_out_of_balance(const Curve& curve);

/// "rail 3 is slowest".
std::string in_words(const SlowestRail& slowest);

}  // namespace railgauge::verdict
