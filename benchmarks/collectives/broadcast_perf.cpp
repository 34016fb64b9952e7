// Time and bandwidth of broadcast: every rank ends with the root's data. Over a sweep of sizes,
// every one verified. Start with launchers/mpirun, one process a rank.

#include "runner/run.hpp"
#include "runner/sweep.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return runner::run({"broadcast", schedule::Collective::broadcast}, argc, argv, runner::sweep);
}
