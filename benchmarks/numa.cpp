#include "benchmarks/numa.hpp"

#include <sched.h>

namespace railgauge::benchmarks {

int numa_node_of_caller() {
  unsigned processor = 0;
  unsigned node = 0;
  return ::getcpu(&processor, &node) == 0 ? static_cast<int>(node) : -1;
}

}  // namespace railgauge::benchmarks
