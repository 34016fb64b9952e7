// Time and bandwidth of sendrecv: every rank sends its data to the next. Over a sweep of sizes,
// every one verified. Start with launchers/mpirun, one process a rank.

#include "runner/run.hpp"
#include "runner/sweep.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return runner::run({"sendrecv", schedule::Collective::sendrecv}, argc, argv, runner::sweep);
}
