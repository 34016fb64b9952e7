// Time and bandwidth of sendrecv: every rank sends its data to the next. Over a sweep of sizes,
// every one verified. Start with launchers/mpirun, one process a rank.

#include "runner/collective/collective_experiment.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  runner::CollectiveExperiment experiment({"sendrecv", schedule::Collective::sendrecv});
  return runner::run(experiment, argc, argv);
}
