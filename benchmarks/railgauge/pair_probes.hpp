#pragma once

#include <string>

#include "doctor/facts.hpp"

namespace railgauge::benchmarks {

/// What doctor judges of a result of reachability_perf or pairs_perf. Throws std::invalid_argument
/// if it is of another kind, std::runtime_error if it cannot be read; both name the file.
[[nodiscard]] doctor::PairProbes pair_probes_in(const std::string& file);

/// The same of what a result of congestion_perf or isolate_perf found.
[[nodiscard]] doctor::FoundByTest findings_in(const std::string& file);

}  // namespace railgauge::benchmarks
