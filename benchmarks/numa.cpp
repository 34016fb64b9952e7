#include "benchmarks/numa.hpp"

#include <sched.h>

#include <fstream>

namespace railgauge::benchmarks {

int numa_node_of_caller() {
  unsigned processor = 0;
  unsigned node = 0;
  return ::getcpu(&processor, &node) == 0 ? static_cast<int>(node) : -1;
}

int numa_node_of(const std::string& device) {
  std::ifstream file("/sys/class/infiniband/" + device + "/device/numa_node");
  int node = -1;
  return file >> node ? node : -1;
}

}  // namespace railgauge::benchmarks
