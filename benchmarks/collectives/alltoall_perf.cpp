// Time and bandwidth of all-to-all: rank r ends with block r of every rank. Over a sweep of sizes,
// every one verified. Start with launchers/mpirun, one process a rank.

#include "runner/run.hpp"
#include "runner/sweep.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return runner::run({"alltoall", schedule::Collective::all_to_all}, argc, argv, runner::sweep);
}
