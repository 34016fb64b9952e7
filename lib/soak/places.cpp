#include "soak/places.hpp"

#include <algorithm>
#include <set>

namespace railgauge::soak {

PortKey key_of(const PortSample& port) {
  return {port.host, port.device, port.port, port.address};
}

Places::Places(const Header& header) : plan_(header.plan), window_s_(header.window_s) {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> addresses;
  for (const results::Rank& rank : header.ranks) {
    host_of_rank_.push_back(rank.host);
    for (const results::RankRail& rail : rank.rails) {
      software_ = software_ || rail.kind != results::DeviceKind::hardware;
      ours_ = ours_ && rail.firmware.starts_with("softroce");
      int& planes = planes_[rail.rail];
      planes = std::max(planes, rail.plane + 1);
      addresses[{rank.host, rail.device + "/" + std::to_string(rail.port)}].insert(rail.address);
    }
  }
  for (const auto& [port, all] : addresses) addresses_[port] = all.size();
}

std::string Places::rail_name(int rail, int plane) const {
  const auto planes = planes_.find(rail);
  std::string name = "rail " + std::to_string(rail);
  if (planes == planes_.end() || planes->second < 2) return name;
  return name + " plane " + std::to_string(plane);
}

std::string Places::name(const PortSample& port) const {
  const auto same = addresses_.find({port.host, port.device + "/" + std::to_string(port.port)});
  const bool several = same != addresses_.end() && same->second > 1;
  return port.host + " " + port.device + (port.port == 1 ? "" : "/" + std::to_string(port.port)) +
         (several ? " " + port.address : "") + " (" + rail_name(port.rail, port.plane) + ")";
}

std::string Places::rank_name(int rank) const {
  const auto at = static_cast<std::size_t>(rank);
  return "rank " + std::to_string(rank) +
         (at < host_of_rank_.size() ? " (" + host_of_rank_[at] + ")" : "");
}

Event event_in(EventKind kind, const Window& window) {
  Event event;
  event.kind = kind;
  event.window = window.number;
  event.when = window.start;
  return event;
}

Event event_at(EventKind kind, const Window& window, const PortSample& port) {
  Event event = event_in(kind, window);
  event.host = port.host;
  event.device = port.device;
  event.port = port.port;
  event.rail = port.rail;
  event.plane = port.plane;
  event.address = port.address;
  return event;
}

}  // namespace railgauge::soak
