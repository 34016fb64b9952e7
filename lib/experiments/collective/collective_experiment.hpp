#pragma once

#include <memory>

#include "experiments/collective/program.hpp"
#include "runner/experiment.hpp"

namespace railgauge::runner {

/// The benchmark of a collective: for each combination, size and algorithm a row, with the output
/// in a buffer of its own and in place, both verified.
[[nodiscard]] std::unique_ptr<Experiment> collective_experiment(Program program);

}  // namespace railgauge::runner
