#pragma once

#include <string>

#include "report/report.hpp"

namespace railgauge::report {

/// The indicators of draft-calabria-bmwg-ai-fabric-training-bench (sections 4 to 11), as Markdown,
/// from whatever was measured. Each value has its test, its observation point (the hosts' clocks,
/// their NICs' counters, or switches) and its document; values of different observation points are
/// never merged. What no result has is "not measured", with what would measure it. The draft's
/// targets are no acceptance criteria, so nothing is judged.
std::string bmwg_training(const Report& report);

}  // namespace railgauge::report
