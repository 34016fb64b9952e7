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

/// That it sent, less those that came to it.
std::int64_t surplus(const PortSample& port) {
  return moved(port, "sent_pkts") - moved(port, "rcvd_pkts") - moved(port, "icrc_err") -
         moved(port, "malformed");
}

}  // namespace

std::map<RailKey, Balance> PacketBalance::take(const Window& window, const Places& places) {
  std::map<RailKey, std::int64_t> moved_by;
  if (!places.counts_every_packet()) return {};
  for (const PortSample& port : window.ports) {
    moved_by[{port.rail, port.plane}] += surplus(port);
  }
  for (const PortSample& port : window.ports) {
    if (is_whole(port)) continue;
    moved_by.erase({port.rail, port.plane});
    missing_.erase({port.rail, port.plane});
  }
  std::map<RailKey, Balance> balances;
  for (const auto& [rail, by] : moved_by) {
    const auto before = missing_.find(rail);
    const bool first = before == missing_.end();
    const std::int64_t all = (first ? 0 : before->second) + by;
    const std::int64_t lost = first ? 0 : std::max<std::int64_t>(0, std::min(before->second, all));
    balances[rail] = {.missing = std::max<std::int64_t>(0, all - lost), .lost_before = lost};
    missing_[rail] = first ? 0 : balances[rail].missing;
  }
  return balances;
}

}  // namespace railgauge::soak
