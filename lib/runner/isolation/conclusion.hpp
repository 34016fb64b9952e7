#pragma once

#include <string>
#include <vector>

#include "results/isolate.hpp"
#include "runner/isolation/isolation_run.hpp"

namespace railgauge::runner {

/// FAIL if something is named and was bad when it was tested alone, PASS if everything was tested
/// often enough to be found and nothing is; else INCONCLUSIVE.
[[nodiscard]] results::IsolateVerdict verdict_of(const isolation::Verdict& verdict);

/// Rank 0, after the run: fills in what the tests come to, and what is wrong with each of them.
void conclude(const IsolationRun& run, results::IsolateBody& body);

}  // namespace railgauge::runner
