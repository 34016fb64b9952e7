// Time and bandwidth of reduce-scatter: rank r ends with block r of the combination. Over a sweep
// of sizes, every one verified. Start with launchers/mpirun, one process a rank.

#include "benchmarks/collectives/collective_main.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return collective_main({"reduce_scatter", schedule::Collective::reduce_scatter}, argc, argv);
}
