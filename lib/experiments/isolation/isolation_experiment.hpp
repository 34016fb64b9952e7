#pragma once

#include <memory>

#include "runner/experiment.hpp"

namespace railgauge::runner {

/// Which part of the fabric is bad: a host, a NIC (transmit or receive), a link, a switch.
[[nodiscard]] std::unique_ptr<Experiment> isolation_experiment();

}  // namespace railgauge::runner
