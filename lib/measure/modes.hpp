#pragma once

#include "measure/histogram.hpp"

namespace railgauge::measure {

/// Whether the durations fall into (at least) two groups that one median does not describe: two
/// peaks more than a tenth apart, each with at least a tenth of all durations on its side of the
/// valley between them, which is less than half as high as the lower peak, and by more than three
/// standard deviations of its count. Looks at cells of five per cent. A finding for a person to
/// look at, not a test of a hypothesis; fewer than twenty durations have no groups.
[[nodiscard]] bool is_bimodal(const Histogram& times);

}  // namespace railgauge::measure
