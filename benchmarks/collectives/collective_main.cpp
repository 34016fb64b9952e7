#include "benchmarks/collectives/collective_main.hpp"

#include "experiments/collective/collective_experiment.hpp"

namespace railgauge {

int collective_main(const runner::Program& program, int argc, char** argv) {
  runner::CollectiveExperiment experiment(program);
  return runner::run(experiment, argc, argv);
}

}  // namespace railgauge
