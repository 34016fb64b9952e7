#include "executor/lanes.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

namespace railgauge::executor {
namespace {

using schedule::Rank;
using schedule::Schedule;
using transport::LaneRequest;

using Conversations = std::set<std::pair<Rank, std::uint8_t>>;  // peers and lane numbers

Conversations conversations(const Schedule& schedule, Rank rank) {
  Conversations found;
  schedule::Ops ops;
  for (schedule::Step step = 0; step < schedule.steps; ++step) {
    ops.clear();
    schedule.rule(rank, step, ops);
    for (const schedule::Op& op : ops) {
      if (op.action != schedule::Action::copy) found.emplace(op.peer, op.lane);
    }
  }
  return found;
}

}  // namespace

unsigned Stripes::used(std::size_t bytes) const {
  const std::size_t most = least_bytes == 0 ? count() : bytes / least_bytes;
  return static_cast<unsigned>(std::clamp<std::size_t>(most, 1, count()));
}

std::vector<LaneRequest> lanes_of(const Schedule& schedule, Rank rank, const Stripes& stripes) {
  std::vector<LaneRequest> lanes;
  for (const auto& [peer, number] : conversations(schedule, rank)) {
    for (unsigned stripe = 0; stripe < stripes.count(); ++stripe) {
      lanes.push_back({peer, stripes.rail(stripe)});
    }
  }
  return lanes;
}

std::vector<LaneRequest> lanes_of(std::span<const Schedule> schedules, Rank rank,
                                  const Stripes& stripes) {
  std::map<Rank, std::vector<LaneRequest>> most;  // to each peer
  for (const Schedule& schedule : schedules) {
    std::map<Rank, std::vector<LaneRequest>> needed;
    for (const LaneRequest& lane : lanes_of(schedule, rank, stripes)) {
      needed[lane.peer].push_back(lane);
    }
    for (auto& [peer, lanes] : needed) {
      if (lanes.size() > most[peer].size()) most[peer] = std::move(lanes);
    }
  }
  std::vector<LaneRequest> all;
  for (const auto& [peer, lanes] : most) all.insert(all.end(), lanes.begin(), lanes.end());
  return all;
}

/// The k-th lane that the schedule needs to a peer on a rail is the k-th that the transport has.
LaneMap::LaneMap(const Schedule& schedule, Rank rank, const Stripes& stripes,
                 std::span<const LaneRequest> lanes) {
  std::map<std::pair<Rank, unsigned>, std::vector<transport::Lane>> there;
  for (transport::Lane lane = 0; lane < lanes.size(); ++lane) {
    there[{lanes[lane].peer, lanes[lane].rail}].push_back(lane);
  }
  std::map<std::pair<Rank, unsigned>, std::size_t> taken;
  for (const auto& [peer, number] : conversations(schedule, rank)) {
    for (unsigned stripe = 0; stripe < stripes.count(); ++stripe) {
      const std::pair key{peer, stripes.rail(stripe)};
      const auto& candidates = there[key];
      const std::size_t next = taken[key]++;
      if (next >= candidates.size()) {
        throw std::logic_error("the transport has too few lanes to rank " + std::to_string(peer));
      }
      lanes_[{peer, stripe, number}] = candidates[next];
    }
  }
}

}  // namespace railgauge::executor
