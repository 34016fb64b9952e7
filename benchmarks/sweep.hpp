#pragma once

#include "benchmarks/session.hpp"

namespace railgauge::benchmarks {

/// The experiment of every benchmark: for each size and each algorithm asked for, a row with both
/// placements of the buffers, every one verified.
void sweep(Session& session);

}  // namespace railgauge::benchmarks
