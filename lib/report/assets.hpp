#pragma once

#include <string_view>

namespace railgauge::report {

/// What every page contains: files of vendor/ and page/, as they are (CMakeLists.txt).
extern const std::string_view kPlotScript;
extern const std::string_view kPlotStyle;
extern const std::string_view kPlotLicence;
extern const std::string_view kPageScript;
extern const std::string_view kPageStyle;

}  // namespace railgauge::report
