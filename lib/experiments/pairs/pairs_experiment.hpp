#pragma once

#include <memory>

#include "experiments/pairs/pairs_options.hpp"
#include "runner/experiment.hpp"

namespace railgauge::runner {

/// The test of pairs: whether every NIC reaches every other, how fast it sends to it, and which are
/// slower than they should be.
[[nodiscard]] std::unique_ptr<Experiment> pairs_experiment(PairsProgram program);

}  // namespace railgauge::runner
