#pragma once

#include <set>
#include <vector>

#include "diagnosis/path_times.hpp"

namespace railgauge::diagnosis {

/// A path's twins go from the same ranks to the same ranks on other rails. The same processes serve
/// them at the same time, so load and turns slow them alike: what is slower than its twins is so
/// by its own port. Middle chunks tell it, also where flows share a port and delay each other's
/// fastest.
///
/// The paths of `row` to, from or at a port that are all slower than their twins, by more than the
/// rail's other paths differ from theirs. A port that is alone on its rank, and a rail that is slow
/// for all, are not found here.
[[nodiscard]] std::set<Path> slower_than_twins(const std::vector<PathTime>& row,
                                               const Ports& ports);

}  // namespace railgauge::diagnosis
