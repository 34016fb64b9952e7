// How fast every NIC of a fabric sends to every other: bandwidth or latency, pair by pair, and
// which pairs are slower than they should be. Start with launchers/mpirun, one process per host.

#include "experiments/pairs/pairs_experiment.hpp"

int main(int argc, char** argv) {
  using namespace railgauge::runner;
  return run(*pairs_experiment(PairsProgram::pairs_perf), argc, argv);
}
