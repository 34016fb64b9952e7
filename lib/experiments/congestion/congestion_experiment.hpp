#pragma once

#include <memory>

#include "runner/experiment.hpp"

namespace railgauge::runner {

/// What acts when more is sent than a link carries: ECN, PFC or drops; and who suffers.
[[nodiscard]] std::unique_ptr<Experiment> congestion_experiment();

}  // namespace railgauge::runner
