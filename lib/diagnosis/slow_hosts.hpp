#pragma once

#include <set>
#include <vector>

#include "diagnosis/path_times.hpp"

namespace railgauge::diagnosis {

/// The paths of `row` to, from or at hosts (Scope::host) of which even the fastest chunk takes
/// longer than that of any other path of the row: what slows all ports of a host alike has no rail
/// to compare with. It takes three others that exchange data among themselves. Load of the host's
/// ranks looks alike, and one row may show it by chance.
[[nodiscard]] std::set<Path> slower_than_other_hosts(const std::vector<PathTime>& row,
                                                     const Ports& ports);

}  // namespace railgauge::diagnosis
