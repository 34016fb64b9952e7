#pragma once

#include "isolation/evidence.hpp"

namespace railgauge::isolation {

/// The same tests with more of their paths, where the paths of all tests leave no choice. A switch
/// that loses packets answers no probe of some paths, though others passed it:
/// - a path ends where the packets of its receiver begin;
/// - between two leaves all paths are as long as those that are known, in either direction;
/// - behind a switch at which no NIC's packets begin probes have ended, and the path has not;
/// - a switch that did not answer is the only one which packets of the other direction pass between
///   the same neighbours, and those of this direction never do.
/// Pure.
[[nodiscard]] Evidence with_known_paths(Evidence evidence);

}  // namespace railgauge::isolation
