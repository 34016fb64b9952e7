// Time and bandwidth of broadcast: every rank ends with the root's data. Over a sweep of sizes,
// every one verified. Start with launchers/mpirun, one process a rank.

#include "benchmarks/collectives/collective_main.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return collective_main({"broadcast", schedule::Collective::broadcast}, argc, argv);
}
