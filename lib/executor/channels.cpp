#include "executor/channels.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace railgauge::executor {
namespace {

using schedule::Rank;
using schedule::Schedule;
using transport::ChannelRequest;

using Conversations = std::set<std::pair<Rank, std::uint8_t>>;  // peers and channel numbers

Conversations conversations(const Schedule& schedule, Rank rank) {
  Conversations found;
  schedule::Ops ops;
  for (schedule::Step step = 0; step < schedule.steps; ++step) {
    ops.clear();
    schedule.rule(rank, step, ops);
    for (const schedule::Op& op : ops) {
      if (op.action != schedule::Action::copy) found.emplace(op.peer, op.channel);
    }
  }
  return found;
}

/// So that there are as many on each rail as are needed.
void add_missing(std::vector<ChannelRequest>& there, std::vector<ChannelRequest> needed) {
  for (const ChannelRequest& one : there) {
    const auto found = std::ranges::find(needed, one);
    if (found != needed.end()) needed.erase(found);
  }
  there.insert(there.end(), needed.begin(), needed.end());
}

}  // namespace

unsigned Stripes::used(std::size_t bytes) const {
  const std::size_t most = least_bytes == 0 ? count() : bytes / least_bytes;
  return static_cast<unsigned>(std::clamp<std::size_t>(most, 1, count()));
}

Stripes RailShare::part_of(const Stripes& stripes) const {
  Stripes part = stripes;
  part.rails = (stripes.rails - number + of - 1) / of;
  part.fewer.rails.clear();
  for (const unsigned rail : stripes.fewer.rails) {
    if (has(rail)) part.fewer.rails.push_back(rail / of);
  }
  return part;
}

std::vector<ChannelRequest> channels_of(const Schedule& schedule, Rank rank,
                                        const Stripes& stripes) {
  std::vector<ChannelRequest> channels;
  for (const auto& [peer, number] : conversations(schedule, rank)) {
    for (unsigned stripe = 0; stripe < stripes.count(); ++stripe) {
      channels.push_back({peer, stripes.rail(stripe, peer)});
    }
  }
  return channels;
}

std::vector<ChannelRequest> channels_of(std::span<const Schedule> schedules, Rank rank,
                                        std::span<const Stripes> stripes) {
  std::map<Rank, std::vector<ChannelRequest>> to_peers;
  for (std::size_t i = 0; i < schedules.size(); ++i) {
    std::map<Rank, std::vector<ChannelRequest>> needed;
    for (const ChannelRequest& channel : channels_of(schedules[i], rank, stripes[i])) {
      needed[channel.peer].push_back(channel);
    }
    for (const auto& [peer, channels] : needed) add_missing(to_peers[peer], channels);
  }
  std::vector<ChannelRequest> all;
  for (const auto& [peer, channels] : to_peers) {
    all.insert(all.end(), channels.begin(), channels.end());
  }
  return all;
}

std::vector<transport::Channel> from_farthest(std::span<const ChannelRequest> channels,
                                              transport::Rank rank) {
  std::vector<transport::Channel> sorted(channels.size());
  std::iota(sorted.begin(), sorted.end(), 0U);
  std::ranges::stable_sort(sorted, std::ranges::greater{}, [&](transport::Channel channel) {
    return std::pair(channels[channel].peer < rank, channels[channel].peer);
  });
  return sorted;
}

/// The k-th channel that the schedule needs to a peer on a rail is the transport's k-th to it.
ChannelMap::ChannelMap(const Schedule& schedule, Rank rank, const Stripes& stripes,
                       std::span<const ChannelRequest> channels) {
  std::map<std::pair<Rank, unsigned>, std::vector<transport::Channel>> there;
  for (transport::Channel channel = 0; channel < channels.size(); ++channel) {
    there[{channels[channel].peer, channels[channel].rail}].push_back(channel);
  }
  std::map<std::pair<Rank, unsigned>, std::size_t> taken;
  for (const auto& [peer, number] : conversations(schedule, rank)) {
    for (unsigned stripe = 0; stripe < stripes.count(); ++stripe) {
      const std::pair key{peer, stripes.rail(stripe, peer)};
      const auto& candidates = there[key];
      const std::size_t next = taken[key]++;
      if (next >= candidates.size()) {
        throw std::logic_error("the transport has too few channels to rank " +
                               std::to_string(peer));
      }
      channels_[{peer, stripe, number}] = candidates[next];
    }
  }
}

}  // namespace railgauge::executor
