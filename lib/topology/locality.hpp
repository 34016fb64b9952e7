#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topology/hwloc_map.hpp"

namespace railgauge::topology {

/// What is said about where a PCI device is, by two who should agree.
struct LocalityClaims {
  int sysfs_node = -1;  // numa_node of the device; -1: the kernel does not know
  CpuSet sysfs_cpus{};  // local_cpulist
  std::optional<HwlocPlace> hwloc{};
};

/// Where a device is.
struct Locality {
  int numa_node = -1;    // -1: not known
  CpuSet cpus{};         // the nearest; all of the host if it is not known
  std::string remark{};  // which claim counts and why, where they differ or say nothing; else empty
};

/// The rule:
/// 1. A NUMA node that sysfs names counts, if the host has it: it is of this very function, and the
///    driver allocates its queues by it. hwloc goes by the root bus, so it may lump functions
///    together. The node's cpus count, and not local_cpulist, unless the node has none.
/// 2. If sysfs says -1 (virtual machines, firmware without a proximity table): the node that
///    hwloc names, if it is one (its user can name it, HWLOC_PCI_LOCALITY); else the node whose
///    cpus are local_cpulist's; else the only node of the host.
/// 3. Otherwise it is not known, and all cpus are as near.
Locality locate(const LocalityClaims& claims, const std::vector<NumaNode>& nodes);

}  // namespace railgauge::topology
