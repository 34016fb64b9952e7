#include "topology/gpu.hpp"

#include <algorithm>
#include <array>

namespace railgauge::topology {

std::vector<Gpu> gpus_of(const HwlocMap& hwloc) {
  std::vector<Gpu> gpus;
  for (const auto& [address, place] : hwloc.pci) {
    if (place.is_gpu) gpus.push_back({address, place.bridges, locate_by_hwloc(place, hwloc.nodes)});
  }
  return gpus;
}

std::string_view word(Nearness nearness) {
  static constexpr std::array<std::string_view, 4> kWords{"same switch", "same root complex",
                                                          "across sockets", "not known"};
  return kWords.at(static_cast<std::size_t>(nearness));
}

Nearness nearness(const Gpu& gpu, const PciFunction& device, const Locality& locality) {
  const bool below_one =
      !gpu.bridges.empty() && !device.bridges.empty() && gpu.bridges[0] == device.bridges[0];
  if (below_one) return Nearness::same_switch;
  const int here = gpu.locality.numa_node;
  if (here < 0 || locality.numa_node < 0) return Nearness::unknown;
  return here == locality.numa_node ? Nearness::same_root : Nearness::across;
}

}  // namespace railgauge::topology
