#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/hwloc_map.hpp"
#include "topology/recording.hpp"

namespace railgauge::topology {

/// Speed and width of a PCI Express link. 0: not known, as of virtual functions and devices in a
/// virtual machine.
struct PciLink {
  double gigatransfers_per_second = 0;  // of a lane: 16 for PCIe 4.0, 32 for 5.0
  int lanes = 0;

  [[nodiscard]] bool known() const { return gigatransfers_per_second > 0 && lanes > 0; }
  /// What it carries each way, headers included: without the line code, which is 8b/10b up to
  /// 5 GT/s, 128b/130b up to 32 GT/s, and none above (PCI Express Base 6.0, 4.2).
  [[nodiscard]] double gigabits_per_second() const;
};

/// "x16 32 GT/s"; "" if it is not known.
std::string to_string(const PciLink& link);

/// A link on the way from the root port to a device: to a switch, or to the device itself.
struct PciHop {
  std::string upper{};  // the root port, or the switch's port
  std::string lower{};  // the switch, or the device
  PciLink now{};
  PciLink most{};  // what both ends can do

  /// Whether the link is slower or narrower than both ends could.
  [[nodiscard]] bool degraded() const;
};

/// A function of a PCI device, where it is, and what its link does.
struct PciFunction {
  std::string address{};                 // "0000:17:00.0"; "" for what is not on PCI
  std::vector<std::string> bridges{};    // above it, from the root port down
  PciLink link{};                        // as it is now, by sysfs
  double hwloc_gigabits_per_second = 0;  // of it, where hwloc's XML is all that there is
  PciLink device_most{};                 // what the device can do
  PciLink slot_most{};                   // what the bridge above it can do
  std::vector<PciHop> hops{};            // those whose links are known, from the root port down
  std::string driver{};
  std::string physical_function{};  // the address of it, if this is a virtual one (SR-IOV)

  /// What device and slot can both do.
  [[nodiscard]] PciLink most() const;
  /// The first hop that is degraded; nullptr if none is.
  [[nodiscard]] const PciHop* degraded() const;
  /// The hop that carries least; nullptr if no link is known.
  [[nodiscard]] const PciHop* narrowest() const;
};

/// The PCI addresses in a path below /sys/devices, from the root port to the device:
/// "devices/pci0000:15/0000:15:01.0/0000:16:00.0" has two.
std::vector<std::string> pci_addresses(std::string_view device_path);

/// The function that a device link leads to, as recorded. A virtual function has its physical
/// function's links: the wires are the same, and its own are not told.
PciFunction pci_function(const Recording& recording, const std::string& device_path);

/// What two sources, which should agree, say about the location of a PCI device.
struct LocalityClaims {
  int sysfs_node = -1;  // numa_node of the device; -1: the kernel does not know
  CpuSet sysfs_cpus{};  // local_cpulist
  std::optional<HwlocPlace> hwloc{};
};

/// Where a device is.
struct Locality {
  int numa_node = -1;    // -1: not known
  CpuSet cpus{};         // the nearest; all of the host if it is not known
  std::string remark{};  // which claim is used and why, if they differ or are missing; else empty
};

/// The rule:
/// 1. The NUMA node that sysfs names, if the host has it: it is that of this very function, and the
///    driver allocates its queues by it. hwloc goes by the root bus, so it may lump functions
///    together. The cpus are the node's, not those of local_cpulist, unless the node has none.
/// 2. If sysfs says -1 (virtual machines, firmware without a proximity table): the node that
///    hwloc names, if it is one (its user can name it, HWLOC_PCI_LOCALITY); else the node whose
///    cpus are local_cpulist's; else the only node of the host.
/// 3. Otherwise it is unknown: near are the cpus of the nodes that hwloc names, or all.
Locality locate(const LocalityClaims& claims, const std::vector<NumaNode>& nodes);

/// The same where hwloc's XML is all that there is: the node that hwloc names, or the only one. If
/// it names several, the node is unknown and the cpus are theirs.
Locality locate_by_hwloc(const HwlocPlace& place, const std::vector<NumaNode>& nodes);

/// The NUMA nodes that cpus belong to, by number.
std::set<int> nodes_of(const CpuSet& cpus, const std::vector<NumaNode>& nodes);

}  // namespace railgauge::topology
