#include "benchmarks/collectives/collective_main.hpp"

#include "experiments/collective/collective_experiment.hpp"

namespace railgauge {

int collective_main(const runner::Program& program, int argc, char** argv) {
  return runner::run(*runner::collective_experiment(program), argc, argv);
}

}  // namespace railgauge
