// Time and bandwidth of all-to-all with blocks of different sizes: rank r ends with block r of
// every rank. Over a sweep of sizes, every one verified. Start with launchers/mpirun, one process a
// rank.

#include "benchmarks/collectives/collective_main.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return collective_main({"alltoallv", schedule::Collective::all_to_all_v}, argc, argv);
}
