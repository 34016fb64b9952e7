// Time and bandwidth of all-to-all: rank r ends with block r of every rank. Over a sweep of sizes,
// every one verified. Start with launchers/mpirun, one process a rank.

#include "runner/collective/collective_experiment.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  runner::CollectiveExperiment experiment({"alltoall", schedule::Collective::all_to_all});
  return runner::run(experiment, argc, argv);
}
