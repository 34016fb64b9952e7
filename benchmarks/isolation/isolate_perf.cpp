// Which part of the fabric is bad: a host, a NIC one way, a link from one switch to the next, a
// switch. Start with launchers/mpirun, one process per host.

#include "experiments/isolation/isolation_experiment.hpp"

int main(int argc, char** argv) {
  return railgauge::runner::run(*railgauge::runner::isolation_experiment(), argc, argv);
}
