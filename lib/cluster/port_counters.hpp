#pragma once

#include <vector>

#include "job/communicator.hpp"
#include "results/document.hpp"

namespace railgauge::cluster {

/// Collective: the counters of every rail of every host, on rank 0. `before` is filled, `after`
/// not.
[[nodiscard]] std::vector<results::PortCounters> read_counters(
    job::Communicator& communicator, const std::vector<results::Rank>& ranks);

}  // namespace railgauge::cluster
