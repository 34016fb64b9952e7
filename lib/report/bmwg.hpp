#pragma once

#include <cstdint>
#include <string>

#include "report/report.hpp"

namespace railgauge::report {

/// Of draft-calabria-bmwg-ai-fabric-training-bench (sections 4 to 11), and of
/// draft-calabria-bmwg-ai-fabric-inference-bench (its KPI framework).
enum class Draft : std::uint8_t { training, inference };

/// The indicators of a draft, as Markdown, from whatever was measured. Each value has its test, its
/// observation point (the hosts' clocks, their NICs' counters, or switches) and its document;
/// values of different observation points are never merged. What no result has is "not measured",
/// with what would measure it. The drafts' targets are no acceptance criteria, so nothing is
/// judged.
std::string bmwg(const Report& report, Draft draft);

}  // namespace railgauge::report
