// Time and bandwidth of all-gather: every rank ends with every rank's block. Over a sweep of sizes,
// every one verified. Start with launchers/mpirun, one process a rank.

#include "runner/run.hpp"
#include "runner/sweep.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return runner::run({"all_gather", schedule::Collective::all_gather}, argc, argv, runner::sweep);
}
