#pragma once

#include <string>
#include <vector>

#include "topology/placement.hpp"

namespace railgauge::topology {

/// A host of a rankfile: how mpirun knows it, what it is, and where its ranks belong.
struct RankfileHost {
  std::string name{};
  HostMap map{};
  std::vector<Placement> ranks{};
};

/// Open MPI's rankfile (mpirun(1), "Rankfiles") that binds as the placements do; ranks are counted
/// through the hosts in their order. Slots are cores by their logical numbers, counted as mpirun
/// does among those that are allowed; hardware threads of a core are not told apart. Throws
/// std::invalid_argument if a rank is not bound: a rankfile cannot say so.
std::string rankfile(const std::vector<RankfileHost>& hosts);

}  // namespace railgauge::topology
