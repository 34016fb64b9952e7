#include "experiments/collective/edges.hpp"

#include <algorithm>
#include <map>

#include "cluster/rank_watch.hpp"
#include "measure/statistics.hpp"
#include "transport/exchange.hpp"

namespace railgauge::runner {
namespace {

using executor::EdgeSample;
using results::EdgeTimes;

double microseconds(EdgeSample::Time from, EdgeSample::Time to) {
  return std::chrono::duration<double, std::micro>(to - from).count();
}

/// Samples of all queue pairs of an edge.
struct Durations {
  std::vector<double> round_us;
  std::vector<double> there_us;
  std::vector<double> ack_delay_us;
  std::vector<std::uint64_t> bytes;

  void add(const EdgeSample& sample) {
    const bool arrived = sample.arrived > sample.posted;
    if (sample.completed <= sample.posted) return;
    bytes.push_back(sample.bytes);
    round_us.push_back(microseconds(sample.posted, sample.completed));
    if (!arrived) return;
    there_us.push_back(microseconds(sample.posted, sample.arrived));
    ack_delay_us.push_back(std::max(0.0, microseconds(sample.arrived, sample.completed)));
  }

  [[nodiscard]] bool fill(EdgeTimes& edge) {
    if (round_us.empty()) return false;
    std::ranges::sort(bytes);
    edge.samples = round_us.size();
    edge.bytes = bytes[bytes.size() / 2];
    edge.most_bytes = bytes.back();
    edge.round = *results::quantiles_of(std::move(round_us));
    edge.there = results::quantiles_of(std::move(there_us));
    edge.back = results::quantiles_of(std::move(ack_delay_us));
    return true;
  }
};

void keep_slowest(std::vector<EdgeTimes>& edges, std::size_t most) {
  if (edges.size() <= most) return;
  std::ranges::sort(edges, std::greater{}, [](const EdgeTimes& edge) { return edge.round.p50_us; });
  edges.resize(most);
}

std::vector<EdgeTimes> measured_edges(CollectiveSession& session,
                                      const executor::ProgressThreads& threads,
                                      const results::SweepPoint& point) {
  const std::vector<RailSet> driven = session.driven_rails(point);
  const Planes planes = session.planes_of(driven[session.rank()]);
  std::map<std::pair<transport::Rank, unsigned>, Durations> durations;
  for (transport::Channel channel = 0; channel < threads.channels().size(); ++channel) {
    const transport::ChannelRequest& to = threads.channels()[channel];
    if (session.shares_memory_with(to.peer)) continue;
    for (const EdgeSample& sample : threads.samples(channel)) {
      durations[{to.peer, to.rail}].add(sample);
    }
  }
  std::vector<EdgeTimes> edges;
  for (auto& [key, found] : durations) {
    const auto& [peer, place] = key;
    const Plane there = session.planes_of(driven[peer]).at(place);
    EdgeTimes edge{.from = static_cast<int>(session.rank()),
                   .to = static_cast<int>(peer),
                   .rail = static_cast<int>(planes.at(place).rail),
                   .plane = planes.at(place).plane,
                   .to_rail = static_cast<int>(there.rail),
                   .to_plane = there.plane};
    if (found.fill(edge)) edges.push_back(edge);
  }
  return edges;
}

}  // namespace

std::vector<EdgeTimes> own_edges(CollectiveSession& session,
                                 const executor::ProgressThreads& threads,
                                 const results::SweepPoint& point) {
  std::vector<EdgeTimes> own = measured_edges(session, threads, point);
  keep_slowest(own, std::max<std::size_t>(2, kMostEdges / session.ranks()));
  return own;
}

std::vector<EdgeTimes> edges_of_all_ranks(CollectiveSession& session,
                                          const executor::ProgressThreads& threads,
                                          const results::SweepPoint& point) {
  const std::vector<EdgeTimes> own = own_edges(session, threads, point);
  job::Communicator& communicator = session.communicator();
  const auto clocks = transport::all_gather(communicator, std::vector{cluster::clock_identity()});
  std::vector<EdgeTimes> all;
  for (const auto& of_rank : transport::all_gather(communicator, own)) {
    for (EdgeTimes edge : of_rank) {
      if (clocks[static_cast<std::size_t>(edge.from)] != clocks[static_cast<std::size_t>(edge.to)])
        edge.there = edge.back = std::nullopt;
      all.push_back(edge);
    }
  }
  return all;
}

}  // namespace railgauge::runner
