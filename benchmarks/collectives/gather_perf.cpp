// Time and bandwidth of gather: the root ends with every rank's block. Over a sweep of sizes, every
// one verified. Start with launchers/mpirun, one process a rank.

#include "runner/collective/collective_experiment.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  runner::CollectiveExperiment experiment({"gather", schedule::Collective::gather});
  return runner::run(experiment, argc, argv);
}
