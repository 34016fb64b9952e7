// What every program under MPI does, and nothing else: for benchmarks/start_times.

#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 0;
}
