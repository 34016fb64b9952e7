#pragma once

#include <string>

namespace railgauge::benchmarks {

/// The NUMA node that the calling thread runs on at this moment; -1 if the kernel does not tell.
[[nodiscard]] int numa_node_of_caller();

/// The NUMA node that an RDMA device is attached to, as sysfs has it; -1 for none.
[[nodiscard]] int numa_node_of(const std::string& device);

}  // namespace railgauge::benchmarks
