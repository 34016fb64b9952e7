#pragma once

#include "runner/session.hpp"

namespace railgauge::runner {

/// The experiment of every benchmark: for each size and each algorithm asked for, a row with both
/// placements of the buffers, every one verified.
void sweep(Session& session);

}  // namespace railgauge::runner
