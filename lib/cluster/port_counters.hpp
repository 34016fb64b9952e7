#pragma once

#include <vector>

#include "job/communicator.hpp"
#include "results/document.hpp"

namespace railgauge::cluster {

/// Collective: the counters of every rail of every host, as the kernel keeps them (sysfs `counters`
/// and `hw_counters`; telemetry/counters.hpp has their names), on every rank and in the order of
/// ranks. Ranks of one host share its ports, which are read once, by the first of them; soft
/// devices are each process's own, and read by each. `before` of what comes back is filled, `after`
/// is not: the caller reads twice, and takes the second for `after`. A port without counters has an
/// empty list.
[[nodiscard]] std::vector<results::PortCounters> read_counters(
    job::Communicator& communicator, const std::vector<results::Rank>& ranks);

}  // namespace railgauge::cluster
