#pragma once

#include <memory>

#include "runner/experiment.hpp"

namespace railgauge::runner {

/// Runs a workload (lib/workload) step by step, over verbs, without a GPU.
[[nodiscard]] std::unique_ptr<Experiment> job_experiment();

}  // namespace railgauge::runner
