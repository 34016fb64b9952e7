// Which NIC of the fabric reaches which other: pairs_perf with mode connect, of every NIC of every
// host towards every NIC of all other hosts. Start with launchers/mpirun, one process per host.

#include "experiments/pairs/pairs_experiment.hpp"

int main(int argc, char** argv) {
  using namespace railgauge::runner;
  return run(*pairs_experiment(PairsProgram::reachability_perf), argc, argv);
}
