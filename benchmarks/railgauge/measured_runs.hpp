#pragma once

#include <string>
#include <vector>

#include "predict/calibration.hpp"

namespace railgauge::benchmarks {

/// The runs of a collective's result as a prediction sees them: one for each sweep point, with all
/// hosts on one leaf. Throws std::invalid_argument, one sentence, if the file has no such run, with
/// the reason of the first that cannot be used; std::runtime_error if it cannot be read.
[[nodiscard]] std::vector<predict::MeasuredRun> measured_runs(const std::string& file);

}  // namespace railgauge::benchmarks
