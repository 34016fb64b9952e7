#pragma once

#include <cstddef>
#include <vector>

#include "topology/cpu_set.hpp"

namespace railgauge::topology {

/// Where the threads of a rank that may run on the cpus `own` belong, each of which drives NICs
/// that the cpus `near` are near to. A thread is bound to the near ones among its rank's, if that
/// tells it from the rank, and if there is one for every thread that has the same; no cpus: it
/// stays where its rank is.
std::vector<CpuSet> thread_places(const CpuSet& own, const std::vector<CpuSet>& near);

/// How many of these cores have a hardware thread among the cpus; without cores that are known, how
/// many cpus there are.
std::size_t cores_of(const CpuSet& cpus, const std::vector<CpuSet>& cores);

/// Of a program that may run on allowed[program], with others: its share of the cores, rounded
/// down, if all that may run on any of its cpus take as many.
std::size_t share_of_cores(std::size_t program, const std::vector<CpuSet>& allowed,
                           const std::vector<CpuSet>& cores);

}  // namespace railgauge::topology
