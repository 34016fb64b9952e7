#pragma once

#include <memory>

#include "runner/experiment.hpp"

namespace railgauge::runner {

/// soak_perf: a fabric under load for hours, sampled and watched window by window; it can be
/// stopped and resumed.
[[nodiscard]] std::unique_ptr<Experiment> soak_experiment();

}  // namespace railgauge::runner
