#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "topology/cpu_set.hpp"

namespace railgauge::topology {

struct NumaNode {
  int number = 0;  // the operating system's
  CpuSet cpus{};
  std::vector<CpuSet> cores{};  // each with its hardware threads, in hwloc's logical order
  std::uint64_t memory_bytes = 0;
};

/// What a PCI device is near, according to hwloc.
struct HwlocPlace {
  std::set<int> nodes{};
  CpuSet cpus{};
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

/// From hwloc's XML, version 2 or 1. Throws std::invalid_argument if it is not. Empty for no text.
HwlocMap read_hwloc_xml(const std::string& xml);

/// This machine, I/O included, as XML without any of hwloc's free-form notes (<info>: host names,
/// models, serial numbers, MAC addresses) and without caches. Throws std::runtime_error if hwloc
/// cannot inspect it.
std::string hwloc_xml_here();

/// The cpus that this process may run on now, and is bound to: taskset, a cgroup, mpirun.
CpuSet allowed_here();

}  // namespace railgauge::topology
