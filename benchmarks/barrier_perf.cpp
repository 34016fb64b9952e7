// Time of a barrier: nobody ends before everybody has begun. Start with launchers/mpirun, one
// process a rank.

#include "benchmarks/run.hpp"
#include "benchmarks/sweep.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return benchmarks::run({"barrier", schedule::Collective::barrier}, argc, argv, benchmarks::sweep);
}
