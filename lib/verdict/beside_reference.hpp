#pragma once

#include "verdict/against_reference.hpp"
#include "verdict/curve.hpp"
#include "verdict/finding.hpp"

namespace railgauge::verdict {

/// A curve and the run that it is of.
struct Side {
  const Run& run;
  const Curve& curve;
};

/// One curve of ours beside one of a reference, as against_reference() compares them: every size,
/// sizes of theirs that are missing, the plateau and the latency. `about` says what it is about.
Findings beside_reference(const Finding& about, const Side& ours, const Side& theirs,
                          const Terms& terms);

}  // namespace railgauge::verdict
