// Time and bandwidth of all-reduce: every rank ends with the combination of all ranks' data. Over a
// sweep of sizes, every one verified. Start with launchers/mpirun, one process a rank.

#include "benchmarks/run.hpp"
#include "benchmarks/sweep.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return benchmarks::run({"all_reduce", schedule::Collective::all_reduce}, argc, argv,
                         benchmarks::sweep);
}
