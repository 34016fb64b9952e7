// Time of a barrier: nobody ends before everybody has begun. Start with launchers/mpirun, one
// process a rank.

#include "runner/run.hpp"
#include "runner/sweep.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return runner::run({"barrier", schedule::Collective::barrier}, argc, argv, runner::sweep);
}
