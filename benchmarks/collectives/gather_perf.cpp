// Time and bandwidth of gather: the root ends with every rank's block. Over a sweep of sizes, every
// one verified. Start with launchers/mpirun, one process a rank.

#include "benchmarks/collectives/collective_main.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return collective_main({"gather", schedule::Collective::gather}, argc, argv);
}
