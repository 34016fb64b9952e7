#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "topology/placement.hpp"

namespace railgauge::topology {

/// Binds this process to where a placement puts it: all threads there are to its cpus, and the
/// calling thread's memory to its node, both inherited by threads that it starts later. Call it
/// after MPI_Init, and before memory is touched. What the placement does not bind is left alone.
/// Returns what could not be done, in sentences (a container may forbid set_mempolicy): a run can
/// continue without it, slower. Throws std::runtime_error if hwloc cannot inspect this machine.
std::vector<std::string> bind_here(const Placement& placement);

/// Binds the calling thread alone to these cpus; memory stays where it is. Returns what could not
/// be done, in a sentence; "" if all was.
std::string bind_thread(const CpuSet& cpus);

/// Where this process is, as the kernel says now.
struct Whereabouts {
  CpuSet bound{};  // where its threads may run, all together
  CpuSet ran{};    // where the calling thread runs; the others may be asleep
};
Whereabouts where_am_i();

/// The NUMA nodes that the pages of some memory are on. Pages that were never touched are nowhere;
/// empty if the kernel does not tell.
std::set<int> nodes_of_memory(std::span<const std::byte> memory);

/// What is not where the placement wants it, in sentences: threads bound or seen elsewhere, pages
/// (`memory_nodes`, of nodes_of_memory) on other nodes.
std::vector<std::string> misplaced(const Placement& wanted, const Whereabouts& here,
                                   const std::set<int>& memory_nodes);

}  // namespace railgauge::topology
