// Time and bandwidth of nccl-tests' hypercube: an all-gather by recursive doubling, in which ranks
// exchange all they have with one neighbour after the other. Its algbw counts what a rank is sent,
// not what it has already. Start with launchers/mpirun, one process a rank.

#include "benchmarks/collectives/collective_main.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  return collective_main({"hypercube", schedule::Collective::all_gather, "halving-doubling", true},
                         argc, argv);
}
