#include "topology/rankfile.hpp"

#include <stdexcept>

namespace railgauge::topology {
namespace {

/// The logical numbers, among the cores with an allowed cpu, of those that have one of `cpus`.
CpuSet core_numbers(const HostMap& map, const CpuSet& cpus) {
  CpuSet numbers;
  int number = 0;
  for (const CpuSet& core : map.cores) {
    if (common(core, map.allowed).empty()) continue;
    if (!common(core, cpus).empty()) numbers.insert(number);
    ++number;
  }
  return numbers;
}

}  // namespace

std::string rankfile(const std::vector<RankfileHost>& hosts) {
  std::string text;
  int rank = 0;
  for (const RankfileHost& host : hosts) {
    for (const Placement& placement : host.ranks) {
      const CpuSet cores = core_numbers(host.map, placement.cpus);
      if (cores.empty()) {
        throw std::invalid_argument("a rankfile needs every rank bound, and rank " +
                                    std::to_string(rank) + " is not");
      }
      text +=
          "rank " + std::to_string(rank++) + "=" + host.name + " slot=" + cpu_list(cores) + "\n";
    }
  }
  return text;
}

}  // namespace railgauge::topology
