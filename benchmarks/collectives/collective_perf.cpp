// Time and bandwidth of a collective over a sweep of sizes, every result verified. CMakeLists.txt
// says which: RAILGAUGE_PROGRAM. Start with launchers/mpirun, one process a rank.

#include "benchmarks/collectives/collective_main.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return collective_main({RAILGAUGE_PROGRAM}, argc, argv);
}
