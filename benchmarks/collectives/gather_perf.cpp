// Time and bandwidth of gather: the root ends with every rank's block. Over a sweep of sizes, every
// one verified. Start with launchers/mpirun, one process a rank.

#include "runner/run.hpp"
#include "runner/sweep.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return runner::run({"gather", schedule::Collective::gather}, argc, argv, runner::sweep);
}
