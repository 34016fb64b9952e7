#pragma once

#include <vector>

#include "executor/progress_threads.hpp"
#include "experiments/collective/collective_session.hpp"
#include "results/edge_times.hpp"
#include "results/sweep_point.hpp"
#include "transport/transport.hpp"

namespace railgauge::runner {

/// Collective: how long single chunks took on every connection over a rail, since load(), on every
/// rank; after exchange_samples(). Connections through memory are no rail's. Of more than
/// kMostEdges each rank tells its slowest.
[[nodiscard]] std::vector<results::EdgeTimes> edges_of_all_ranks(
    CollectiveSession& session, const executor::ProgressThreads& threads,
    const results::SweepPoint& point);

/// Those of this rank alone, without a word to the others.
[[nodiscard]] std::vector<results::EdgeTimes> own_edges(CollectiveSession& session,
                                                        const executor::ProgressThreads& threads,
                                                        const results::SweepPoint& point);

inline constexpr std::size_t kMostEdges = 4096;

}  // namespace railgauge::runner
