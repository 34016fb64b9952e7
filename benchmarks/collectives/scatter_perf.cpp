// Time and bandwidth of scatter: rank r ends with block r of the root's data. Over a sweep of
// sizes, every one verified. Start with launchers/mpirun, one process a rank.

#include "runner/run.hpp"
#include "runner/sweep.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return runner::run({"scatter", schedule::Collective::scatter}, argc, argv, runner::sweep);
}
