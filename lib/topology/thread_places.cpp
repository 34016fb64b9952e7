#include "topology/thread_places.hpp"

#include <algorithm>

namespace railgauge::topology {

std::vector<CpuSet> thread_places(const CpuSet& own, const std::vector<CpuSet>& near) {
  std::vector<CpuSet> places;
  places.reserve(near.size());
  for (const CpuSet& one : near) places.push_back(common(own, one));
  const std::vector<CpuSet> wanted = places;
  for (CpuSet& place : places) {
    const auto threads = static_cast<std::size_t>(std::ranges::count(wanted, place));
    if (place == own || place.size() < threads) place.clear();
  }
  return places;
}

std::size_t cores_of(const CpuSet& cpus, const std::vector<CpuSet>& cores) {
  if (cores.empty()) return cpus.size();
  return static_cast<std::size_t>(std::ranges::count_if(
      cores, [&](const CpuSet& core) { return !common(core, cpus).empty(); }));
}

std::size_t share_of_cores(std::size_t program, const std::vector<CpuSet>& allowed,
                           const std::vector<CpuSet>& cores) {
  const auto meets = [&](const CpuSet& other) { return !common(other, allowed[program]).empty(); };
  const auto programs = static_cast<std::size_t>(std::ranges::count_if(allowed, meets));
  return cores_of(allowed[program], cores) / std::max<std::size_t>(programs, 1);
}

}  // namespace railgauge::topology
