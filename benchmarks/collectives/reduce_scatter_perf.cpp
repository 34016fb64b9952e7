// Time and bandwidth of reduce-scatter: rank r ends with block r of the combination. Over a sweep
// of sizes, every one verified. Start with launchers/mpirun, one process a rank.

#include "runner/collective/collective_experiment.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  runner::CollectiveExperiment experiment({"reduce_scatter", schedule::Collective::reduce_scatter});
  return runner::run(experiment, argc, argv);
}
