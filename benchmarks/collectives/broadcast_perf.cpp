// Time and bandwidth of broadcast: every rank ends with the root's data. Over a sweep of sizes,
// every one verified. Start with launchers/mpirun, one process a rank.

#include "runner/collective/collective_experiment.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  runner::CollectiveExperiment experiment({"broadcast", schedule::Collective::broadcast});
  return runner::run(experiment, argc, argv);
}
