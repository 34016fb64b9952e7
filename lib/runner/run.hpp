#pragma once

#include <functional>

#include "runner/session.hpp"

namespace railgauge::runner {

/// The frame of every benchmark of a collective: reads the options before any device or other rank
/// is touched, meets the other ranks, runs `experiment`, and ends all ranks in one way whatever
/// happens. Returns the exit status (see
/// results/exit_code.hpp).
int run(const Program& program, int argc, char** argv,
        const std::function<void(Session&)>& experiment);

}  // namespace railgauge::runner
