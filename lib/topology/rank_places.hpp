#pragma once

#include <vector>

#include "topology/cpu_set.hpp"
#include "topology/host_map.hpp"
#include "topology/placement.hpp"

namespace railgauge::topology {

/// Cores of a host that may be used, each with its hardware threads that may, and the ranks that
/// share them: those of a NUMA node, or of several that a rank has to itself.
struct RankPlace {
  std::vector<CpuSet> cores{};
  std::vector<Placement*> ranks{};  // in the order of ranks
};

/// How many hardware threads a place has.
int threads_of(const RankPlace& place);

/// A rank and the cpus near its NICs, as far as they may be used; not empty.
struct RankHome {
  Placement* rank = nullptr;
  CpuSet near{};
};

/// A place for every NUMA node with cpus that may be used, and one for the cpus of no node. Throws
/// std::invalid_argument if there is none.
std::vector<RankPlace> places_of(const HostMap& host);

/// Puts ranks on the places, evenly: no two on a core while another is free, then no two on a
/// hardware thread.
std::vector<RankPlace> spread(std::vector<RankPlace> places, const std::vector<Placement*>& ranks);

/// Puts ranks where they are at home. Those that are equally near to several places, and the only
/// ones there, get whole places if there are enough, else each is on one. Where others are at home,
/// they go where most room is left. A rank without a cpu of its own goes where cpus are free, with
/// a remark.
std::vector<RankPlace> settle(std::vector<RankPlace> places, const std::vector<RankHome>& homes);

}  // namespace railgauge::topology
