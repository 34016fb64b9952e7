#pragma once

#include <hwloc.h>
#include <memory>

#include "topology/cpu_set.hpp"

namespace railgauge::topology {

// For this folder's own .cpp files: owners of what hwloc allocates.

struct DestroyTopology {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using HwlocTopology = std::unique_ptr<hwloc_topology, DestroyTopology>;

struct FreeBitmap {
  void operator()(hwloc_bitmap_s* bitmap) const { hwloc_bitmap_free(bitmap); }
};
using HwlocBitmap = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

/// This machine's cpus and NUMA nodes, and those that are disallowed; I/O devices and what else is
/// shown of them as `io` says. Throws std::runtime_error.
HwlocTopology load_here(hwloc_type_filter_e io);

/// The same without I/O devices, loaded once by a process: to bind, and to ask where something is.
/// Any thread. Throws std::runtime_error.
hwloc_topology* processors_here();

/// The numbers in a bitmap; none for a null or infinite one.
CpuSet numbers(hwloc_const_bitmap_t bitmap);

HwlocBitmap bitmap(const CpuSet& numbers);

}  // namespace railgauge::topology
