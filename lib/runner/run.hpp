#pragma once

#include "runner/experiment.hpp"

namespace railgauge::runner {

/// Runs an experiment from main's arguments to the exit status (results/exit_code.hpp): reads the
/// options before any device or other rank is touched, meets the other ranks, runs the experiment's
/// loop, and ends all ranks in one way whatever happens.
int run(Experiment& experiment, int argc, char** argv);

}  // namespace railgauge::runner
