#include "topology/hwloc_handle.hpp"

#include <cerrno>
#include <system_error>

namespace railgauge::topology {

HwlocTopology load_here(hwloc_type_filter_e io) {
  hwloc_topology_t made = nullptr;
  if (hwloc_topology_init(&made) != 0) throw std::runtime_error("hwloc_topology_init failed");
  HwlocTopology topology(made);
  // hwloc reads PCI from sysfs without it. libpciaccess adds vendors' names, and leaks them.
  hwloc_topology_set_components(made, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "pci");
  hwloc_topology_set_flags(made, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  hwloc_topology_set_cache_types_filter(made, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_icache_types_filter(made, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_io_types_filter(made, io);
  if (hwloc_topology_load(made) != 0) {
    throw std::system_error(errno, std::generic_category(),
                            "hwloc cannot inspect this machine: hwloc_topology_load");
  }
  return topology;
}

CpuSet numbers(hwloc_const_bitmap_t bitmap) {
  CpuSet set;
  if (bitmap == nullptr || hwloc_bitmap_weight(bitmap) < 0) return set;
  for (int i = hwloc_bitmap_first(bitmap); i >= 0; i = hwloc_bitmap_next(bitmap, i)) set.insert(i);
  return set;
}

HwlocBitmap bitmap(const CpuSet& numbers) {
  HwlocBitmap made(hwloc_bitmap_alloc());
  for (const int number : numbers) hwloc_bitmap_set(made.get(), static_cast<unsigned>(number));
  return made;
}

}  // namespace railgauge::topology
