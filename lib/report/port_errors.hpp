#pragma once

#include <string>

namespace railgauge::report {

/// Whether a port's counter of that name counts what should not happen. Names are the drivers'.
bool counts_errors(const std::string& name);

}  // namespace railgauge::report
