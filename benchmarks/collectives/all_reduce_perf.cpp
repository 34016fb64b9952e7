// Time and bandwidth of all-reduce: every rank ends with the combination of all ranks' data. Over a
// sweep of sizes, every one verified. Start with launchers/mpirun, one process a rank.

#include "runner/run.hpp"
#include "runner/sweep.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return runner::run({"all_reduce", schedule::Collective::all_reduce}, argc, argv, runner::sweep);
}
