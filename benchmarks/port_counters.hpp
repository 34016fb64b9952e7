#pragma once

#include <vector>

#include "benchmarks/world.hpp"
#include "results/document.hpp"

namespace railgauge::benchmarks {

/// Collective: the counters of every rail of every host, on rank 0. `before` is filled, `after`
/// not.
[[nodiscard]] std::vector<results::PortCounters> read_counters(
    World& world, const std::vector<results::Rank>& ranks);

}  // namespace railgauge::benchmarks
