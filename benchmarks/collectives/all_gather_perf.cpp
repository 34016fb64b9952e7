// Time and bandwidth of all-gather: every rank ends with every rank's block. Over a sweep of sizes,
// every one verified. Start with launchers/mpirun, one process a rank.

#include "benchmarks/collectives/collective_main.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return collective_main({"all_gather", schedule::Collective::all_gather}, argc, argv);
}
