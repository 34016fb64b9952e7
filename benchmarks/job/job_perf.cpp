// A job, not only a collective: the groups, operations and compute times of a workload's step.
// Start with launchers/mpirun.

#include "experiments/job/job_experiment.hpp"

int main(int argc, char** argv) {
  using namespace railgauge::runner;
  return run(*job_experiment(), argc, argv);
}
