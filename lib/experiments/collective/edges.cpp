#include "experiments/collective/edges.hpp"

#include <chrono>
#include <iterator>
#include <map>
#include <utility>

namespace railgauge::runner {
namespace {

using executor::EdgeSample;
using results::EdgeTimes;

double microseconds(EdgeSample::Time from, EdgeSample::Time to) {
  return std::chrono::duration<double, std::micro>(to - from).count();
}

}  // namespace

bool fill(EdgeTimes& edge, std::span<const EdgeSample> samples) {
  std::vector<double> round_us;
  std::vector<double> there_us;
  std::vector<double> back_us;
  std::vector<std::uint64_t> bytes;
  for (const EdgeSample& sample : samples) {
    if (sample.completed <= sample.posted) continue;
    bytes.push_back(sample.bytes);
    round_us.push_back(microseconds(sample.posted, sample.completed));
    if (sample.arrived <= sample.posted) continue;
    there_us.push_back(microseconds(sample.posted, sample.arrived));
    back_us.push_back(std::max(0.0, microseconds(sample.arrived, sample.completed)));
  }
  if (bytes.empty()) return false;
  std::ranges::sort(bytes);
  edge.samples = bytes.size();
  edge.bytes = bytes[bytes.size() / 2];
  edge.most_bytes = bytes.back();
  edge.round = *results::quantiles_of(std::move(round_us));
  edge.there = results::quantiles_of(std::move(there_us));
  edge.back = results::quantiles_of(std::move(back_us));
  return true;
}

std::vector<EdgeTimes> edges_of(
    const CollectiveSession& session, const std::vector<RailSet>& driven,
    std::span<const transport::ChannelRequest> channels,
    const std::function<std::vector<EdgeSample>(transport::Channel)>& samples) {
  const Planes planes = session.planes_of(driven[session.rank()]);
  std::map<std::pair<transport::Rank, unsigned>, std::vector<EdgeSample>> of_edges;
  for (transport::Channel channel = 0; channel < channels.size(); ++channel) {
    const transport::ChannelRequest& to = channels[channel];
    if (session.shares_memory_with(to.peer)) continue;
    std::ranges::move(samples(channel), std::back_inserter(of_edges[{to.peer, to.rail}]));
  }
  std::vector<EdgeTimes> edges;
  for (const auto& [key, of_edge] : of_edges) {
    const auto& [peer, place] = key;
    const Plane there = session.planes_of(driven[peer]).at(place);
    EdgeTimes edge{.from = static_cast<int>(session.rank()),
                   .to = static_cast<int>(peer),
                   .rail = static_cast<int>(planes.at(place).rail),
                   .plane = planes.at(place).plane,
                   .to_rail = static_cast<int>(there.rail),
                   .to_plane = there.plane};
    if (fill(edge, of_edge)) edges.push_back(edge);
  }
  return edges;
}

std::vector<EdgeTimes> own_edges(CollectiveSession& session,
                                 const executor::ProgressThreads& threads,
                                 const results::SweepPoint& point) {
  std::vector<EdgeTimes> own =
      edges_of(session, session.driven_rails(point), threads.channels(),
               [&](transport::Channel channel) { return threads.samples(channel); });
  keep_slowest(own, session.ranks(), std::identity{});
  return own;
}

std::vector<EdgeTimes> edges_of_all_ranks(CollectiveSession& session,
                                          const executor::ProgressThreads& threads,
                                          const results::SweepPoint& point) {
  return gather_edges(session.communicator(), own_edges(session, threads, point), std::identity{});
}

}  // namespace railgauge::runner
