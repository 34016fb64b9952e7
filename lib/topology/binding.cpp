#include "topology/binding.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "topology/hwloc_handle.hpp"

namespace railgauge::topology {
namespace {

std::string failed(const std::string& what) {
  return "cannot bind " + what + ": " + std::generic_category().message(errno);
}

}  // namespace

std::vector<std::string> bind_here(const Placement& placement) {
  std::vector<std::string> undone;
  const HwlocBitmap cpus = bitmap(placement.cpus);
  if (!placement.cpus.empty() &&
      hwloc_set_cpubind(processors_here(), cpus.get(), HWLOC_CPUBIND_PROCESS) != 0) {
    undone.push_back(failed("to cpus " + cpu_list(placement.cpus)));
  }
  const HwlocBitmap node =
      bitmap(placement.memory_node < 0 ? CpuSet{} : CpuSet{placement.memory_node});
  if (placement.memory_node >= 0 &&
      hwloc_set_membind(processors_here(), node.get(), HWLOC_MEMBIND_BIND,
                        HWLOC_MEMBIND_THREAD | HWLOC_MEMBIND_BYNODESET) != 0) {
    undone.push_back(failed("memory to NUMA node " + std::to_string(placement.memory_node)));
  }
  return undone;
}

std::string bind_thread(const CpuSet& cpus) {
  const HwlocBitmap bits = bitmap(cpus);
  if (hwloc_set_cpubind(processors_here(), bits.get(), HWLOC_CPUBIND_THREAD) == 0) return "";
  return failed("a thread to cpus " + cpu_list(cpus));
}

Whereabouts where_am_i() {
  const HwlocBitmap cpus = bitmap({});
  Whereabouts here;
  if (hwloc_get_cpubind(processors_here(), cpus.get(), HWLOC_CPUBIND_PROCESS) == 0) {
    here.bound = numbers(cpus.get());
  }
  if (hwloc_get_last_cpu_location(processors_here(), cpus.get(), HWLOC_CPUBIND_THREAD) == 0) {
    here.ran = numbers(cpus.get());
  }
  return here;
}

std::set<int> nodes_of_memory(std::span<const std::byte> memory) {
  const HwlocBitmap nodes = bitmap({});
  if (hwloc_get_area_memlocation(processors_here(), memory.data(), memory.size(), nodes.get(),
                                 HWLOC_MEMBIND_BYNODESET) != 0) {
    return {};
  }
  return numbers(nodes.get());
}

std::vector<std::string> misplaced(const Placement& wanted, const Whereabouts& here,
                                   const std::set<int>& memory_nodes) {
  std::vector<std::string> wrong;
  const auto outside = [](const CpuSet& cpus, const CpuSet& of) {
    return !std::ranges::includes(of, cpus);
  };
  if (!wanted.cpus.empty() && outside(here.bound, wanted.cpus)) {
    wrong.push_back("its threads may run on cpus " + cpu_list(here.bound) + ", not only on " +
                    cpu_list(wanted.cpus));
  }
  if (!wanted.cpus.empty() && outside(here.ran, wanted.cpus)) {
    wrong.push_back("it was seen on cpus " + cpu_list(here.ran) + ", but belongs on " +
                    cpu_list(wanted.cpus));
  }
  if (wanted.memory_node >= 0 && outside(memory_nodes, {wanted.memory_node})) {
    wrong.push_back("its memory is on NUMA nodes " + cpu_list(memory_nodes) + ", but belongs on " +
                    std::to_string(wanted.memory_node));
  }
  return wrong;
}

}  // namespace railgauge::topology
