#include "soak/packet_balance.hpp"

#include <algorithm>

namespace railgauge::soak {
namespace {

std::int64_t moved(const PortSample& port, const char* name) {
  const auto found = port.moved.find(name);
  return found == port.moved.end() ? 0 : found->second;
}

bool is_whole(const PortSample& port) {
  return port.counters_read && port.unread.empty() &&
         std::ranges::none_of(port.moved, [](const auto& one) { return one.second < 0; });
}

/// What all ports of a rail counted, by the names of softroce
/// (lib/simulators/softroce/device/port.hpp).
struct Sum {
  std::int64_t missing = 0;
  bool noticed = false;
  bool whole = true;
};

void add(const PortSample& port, Sum& sum) {
  sum.missing += moved(port, "sent_pkts") - moved(port, "rcvd_pkts") - moved(port, "icrc_err") -
                 moved(port, "malformed");
  for (const char* const name : {"out_of_seq_request", "rcvd_seq_err", "retransmitted_pkts"}) {
    sum.noticed = sum.noticed || moved(port, name) > 0;
  }
  sum.whole = sum.whole && is_whole(port);
}

}  // namespace

std::vector<Lost> PacketBalance::take(const Window& window, const Places& places) {
  std::vector<Lost> all;
  if (!places.counts_every_packet()) return all;
  std::map<RailKey, Sum> sums;
  for (const PortSample& port : window.ports) add(port, sums[{port.rail, port.plane}]);
  for (const auto& [key, sum] : sums) {
    if (!sum.whole) {
      rails_.erase(key);
      continue;
    }
    Rail& rail = rails_[key];
    const std::int64_t before = rail.ends.empty() ? -sum.missing : rail.ends.back().missing;
    rail.ends.push_back({window.number, before + sum.missing, sum.noticed});
    decide(key, rail, all);
  }
  return all;
}

/// What was missing at the end of a window and of all since then was lost in it, or before.
void PacketBalance::decide(const RailKey& key, Rail& rail, std::vector<Lost>& all) {
  rail.lost = std::min(rail.lost, rail.ends.back().missing);
  for (std::size_t at = 0; at < rail.ends.size(); ++at) {
    const End& end = rail.ends[at];
    const std::size_t more = rail.ends.size() - 1 - at;
    if (more < (end.noticed ? kMoreIfNoticed : kMore)) continue;
    std::int64_t least = end.missing;
    for (std::size_t later = at + 1; later < rail.ends.size(); ++later) {
      least = std::min(least, rail.ends[later].missing);
    }
    if (least <= rail.lost) continue;
    all.push_back({key, end.window, least - rail.lost});
    rail.lost = least;
  }
  if (rail.ends.size() > kMore) rail.ends.pop_front();
}

bool PacketBalance::is_undecided() const {
  return std::ranges::any_of(
      rails_, [](const auto& one) { return one.second.ends.back().missing > one.second.lost; });
}

}  // namespace railgauge::soak
