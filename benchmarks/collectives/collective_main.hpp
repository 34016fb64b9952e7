#pragma once

#include "experiments/collective/program.hpp"

namespace railgauge {

/// The benchmark of a collective, from main's arguments to the exit status.
int collective_main(const runner::Program& program, int argc, char** argv);

}  // namespace railgauge
