#pragma once

#include <vector>

#include "topology/cpu_set.hpp"

namespace railgauge::topology {

/// How many of `count` go into each of several places: as even as possible, and spaced out where
/// there are fewer than places. Nowhere are there more than there is room for as long as there is
/// room elsewhere; what is too many for one goes where most room is left. `room` is not empty.
std::vector<int> distributed(int count, const std::vector<int>& room);

/// The cpus of one of several that share cores.
struct CpuShare {
  CpuSet cpus{};
  bool core_shared = false;  // another has hardware threads of the same core
  bool cpus_shared = false;  // another has the same hardware threads
};

/// Equal shares of cores, each with its hardware threads: whole cores if there are enough, else
/// hardware threads of their own if there are enough of these, else cpus that several share.
/// `cores` is not empty, nor any of them.
std::vector<CpuShare> shares_of(const std::vector<CpuSet>& cores, int count);

}  // namespace railgauge::topology
