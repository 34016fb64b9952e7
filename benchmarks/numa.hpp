#pragma once

namespace railgauge::benchmarks {

/// The NUMA node that the calling thread runs on at this moment; -1 if the kernel does not tell.
[[nodiscard]] int numa_node_of_caller();

}  // namespace railgauge::benchmarks
