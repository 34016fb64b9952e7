// Time and bandwidth of reduce: the root ends with the combination. Over a sweep of sizes, every
// one verified. Start with launchers/mpirun, one process a rank.

#include "runner/run.hpp"
#include "runner/sweep.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return runner::run({"reduce", schedule::Collective::reduce}, argc, argv, runner::sweep);
}
