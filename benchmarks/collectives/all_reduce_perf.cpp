// Time and bandwidth of all-reduce: every rank ends with the combination of all ranks' data. Over a
// sweep of sizes, every one verified. Start with launchers/mpirun, one process a rank.

#include "benchmarks/collectives/collective_main.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return collective_main({"all_reduce", schedule::Collective::all_reduce}, argc, argv);
}
