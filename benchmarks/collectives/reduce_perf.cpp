// Time and bandwidth of reduce: the root ends with the combination. Over a sweep of sizes, every
// one verified. Start with launchers/mpirun, one process a rank.

#include "runner/collective/collective_experiment.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  runner::CollectiveExperiment experiment({"reduce", schedule::Collective::reduce});
  return runner::run(experiment, argc, argv);
}
