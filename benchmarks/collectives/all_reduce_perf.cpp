// Time and bandwidth of all-reduce: every rank ends with the combination of all ranks' data. Over a
// sweep of sizes, every one verified. Start with launchers/mpirun, one process a rank.

#include "runner/collective/collective_experiment.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  runner::CollectiveExperiment experiment({"all_reduce", schedule::Collective::all_reduce});
  return runner::run(experiment, argc, argv);
}
