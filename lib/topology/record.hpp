#pragma once

#include <filesystem>

#include "topology/recording.hpp"

namespace railgauge::topology {

/// Records this host. What it reads is listed in record.cpp, and is all there is in the recording:
/// - of every RDMA device and its ports: state, rate, link layer, GIDs, node GUID, firmware version
///   and model;
/// - of their PCI devices and the bridges above them: NUMA node, cpus, link speeds, driver, SR-IOV;
/// - network devices: which PCI device they belong to, which bond; addresses; the default route;
/// - the cpus and NUMA nodes, by hwloc, without what hwloc has to say about models, disks, memory
///   modules and serial numbers; where this process may run; the host's name.
/// GIDs and GUIDs tell MAC addresses. Nothing else in it identifies hardware or a person.
///
/// `sysfs` may be another tree of the same form (for tests). Throws std::runtime_error if hwloc
/// cannot look at this machine.
Recording record_here(const std::filesystem::path& sysfs = "/sys");

}  // namespace railgauge::topology
