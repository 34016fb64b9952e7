// Time of a barrier: nobody ends before everybody has begun. Start with launchers/mpirun, one
// process a rank.

#include "benchmarks/collectives/collective_main.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return collective_main({"barrier", schedule::Collective::barrier}, argc, argv);
}
