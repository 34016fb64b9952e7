#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "cluster/rank_watch.hpp"
#include "executor/progress_threads.hpp"
#include "experiments/collective/collective_session.hpp"
#include "results/edge_times.hpp"
#include "results/sweep_point.hpp"
#include "transport/exchange.hpp"
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

// What these are made of.

/// Fills in the times of an edge; false: none is known.
[[nodiscard]] bool fill(results::EdgeTimes& edge, std::span<const executor::EdgeSample> samples);

/// This rank's, of all channels to a peer on a plane. `driven`: rails of all ranks.
[[nodiscard]] std::vector<results::EdgeTimes> edges_of(
    const CollectiveSession& session, const std::vector<RailSet>& driven,
    std::span<const transport::ChannelRequest> channels,
    const std::function<std::vector<executor::EdgeSample>(transport::Channel)>& samples);

/// `edge`: the member of One that is the EdgeTimes.
template <class One, class Edge>
void keep_slowest(std::vector<One>& edges, transport::Rank ranks, Edge edge) {
  const std::size_t most = std::max<std::size_t>(2, kMostEdges / ranks);
  if (edges.size() <= most) return;
  std::ranges::sort(edges, std::greater{},
                    [&](const One& one) { return std::invoke(edge, one).round.p50_us; });
  edges.resize(most);
}

/// Collective: between hosts, whose clocks differ, without the two parts of the round.
template <class One, class Edge>
[[nodiscard]] std::vector<One> gather_edges(job::Communicator& communicator,
                                            const std::vector<One>& own, Edge edge) {
  const auto clocks = transport::all_gather(communicator, std::vector{cluster::clock_identity()});
  const auto clock_of = [&](int rank) { return clocks[static_cast<std::size_t>(rank)]; };
  std::vector<One> all;
  for (const std::vector<One>& of_rank : transport::all_gather(communicator, own)) {
    for (const One& one : of_rank) {
      results::EdgeTimes& times = std::invoke(edge, all.emplace_back(one));
      if (clock_of(times.from) != clock_of(times.to)) times.there = times.back = std::nullopt;
    }
  }
  return all;
}

}  // namespace railgauge::runner
