// Time and bandwidth of sendrecv: every rank sends its data to the next. Over a sweep of sizes,
// every one verified. Start with launchers/mpirun, one process a rank.

#include "benchmarks/collectives/collective_main.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return collective_main({"sendrecv", schedule::Collective::sendrecv}, argc, argv);
}
