#pragma once

#include <string>

namespace railgauge::report {

/// The class of a cell whose figure is so many times what it should be: heat-0 (1 or less) to
/// heat-4 (four times), a step for each factor of 1.41.
std::string heat(double ratio);

}  // namespace railgauge::report
