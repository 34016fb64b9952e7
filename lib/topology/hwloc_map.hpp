#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "topology/cpu_set.hpp"

namespace railgauge::topology {

struct NumaNode {
  int number = 0;               // the operating system's
  CpuSet cpus{};                // every cpu is of one node; none: it is memory alone
  std::vector<CpuSet> cores{};  // each with its hardware threads, in hwloc's logical order
  std::uint64_t memory_bytes = 0;
  std::string kind{};  // "HBM", "MCDRAM", "GPUMemory", ... as hwloc calls it; "" for DRAM
  CpuSet near_cpus{};  // of memory alone: of the node that it stands beside
};

/// A PCI device and what it is near, according to hwloc.
struct HwlocPlace {
  std::set<int> nodes{};  // with cpus
  CpuSet cpus{};
  std::vector<std::string> bridges{};  // above it, from the root port down
  double gigabits_per_second = 0;      // of its PCI link now; 0 if hwloc does not know
  std::vector<std::string> netdevs{};
  bool is_gpu = false;
};

/// What is used of hwloc's view of a host. hwloc itself stays behind this header and
/// binding.hpp.
struct HwlocMap {
  std::vector<NumaNode> nodes{};            // by number
  std::vector<CpuSet> cores{};              // of the whole machine, in hwloc's logical order
  CpuSet allowed{};                         // those that a cgroup or the machine leaves usable
  std::map<std::string, HwlocPlace> pci{};  // by PCI address, of devices and not of bridges
  std::map<std::string, std::string> rdma_devices{};  // name: PCI address; "" if not on PCI
};

/// From hwloc's XML: version 1, 2, and 3 if the installed hwloc is 3 or later. Throws
/// std::invalid_argument with the reason if it is not such. Empty for no text.
///
/// hwloc gives memory without cpus (HBM, a GPU's, CXL) the cpus that it stands beside. Here a cpu
/// is of one node: of DRAM before other kinds, then of the node with fewest cpus, then of the
/// lowest number. So ranks are placed on cpus, and their memory is on the node that the kernel
/// allocates from.
HwlocMap read_hwloc_xml(const std::string& xml);

/// This machine, I/O included, as XML of version 2 without any of hwloc's free-form notes (<info>:
/// host names, models, serial numbers, MAC addresses) and without caches. Throws std::runtime_error
/// if hwloc cannot inspect it.
std::string hwloc_xml_here();

/// The cpus that this process may run on now, and is bound to: taskset, a cgroup, mpirun.
CpuSet allowed_here();

}  // namespace railgauge::topology
