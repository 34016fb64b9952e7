// Time and bandwidth of scatter: rank r ends with block r of the root's data. Over a sweep of
// sizes, every one verified. Start with launchers/mpirun, one process a rank.

#include "runner/collective/collective_experiment.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  runner::CollectiveExperiment experiment({"scatter", schedule::Collective::scatter});
  return runner::run(experiment, argc, argv);
}
