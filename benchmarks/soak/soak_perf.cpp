// A fabric under load for hours: collectives take turns, every phase is verified, and counters,
// times and links of all hosts are sampled window by window. Start with launchers/mpirun, one
// process a rank.

#include "experiments/soak/soak_experiment.hpp"

int main(int argc, char** argv) {
  return railgauge::runner::run(*railgauge::runner::soak_experiment(), argc, argv);
}
