// Time of a barrier: nobody ends before everybody has begun. Start with launchers/mpirun, one
// process a rank.

#include "runner/collective/collective_experiment.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  runner::CollectiveExperiment experiment({"barrier", schedule::Collective::barrier});
  return runner::run(experiment, argc, argv);
}
