// What acts when more is sent than a link carries, ECN, PFC or drops, and who suffers. Start with
// launchers/mpirun, one process per host.

#include "experiments/congestion/congestion_experiment.hpp"

int main(int argc, char** argv) {
  using namespace railgauge::runner;
  return run(*congestion_experiment(), argc, argv);
}
