#include "diagnosis/ports.hpp"

#include <algorithm>

namespace railgauge::diagnosis {

Ports::Ports(const std::vector<results::Rank>& ranks) {
  for (const results::Rank& rank : ranks) {
    for (const results::RankRail& rail : rank.rails) {
      auto found = std::ranges::find_if(ports_, [&](const Port& port) {
        return port.host == rank.host && port.device == rail.device && port.number == rail.port &&
               port.address == rail.address;
      });
      if (found == ports_.end()) {
        found = ports_.insert(found, {rank.host,
                                      rail.device,
                                      rail.port,
                                      rail.address,
                                      rail.rail,
                                      rail.plane,
                                      rail.kind != results::DeviceKind::hardware,
                                      {}});
      }
      found->ranks.push_back(rank.rank);
    }
  }
}

std::optional<std::size_t> Ports::of_rank(int rank, int rail, int plane) const {
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    const Port& port = ports_[i];
    if (port.rail != rail || port.plane != plane) continue;
    if (std::ranges::count(port.ranks, rank) > 0) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> Ports::that_counted(const results::PortEvents& events) const {
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    const Port& port = ports_[i];
    if (port.host == events.host && port.device == events.device && port.number == events.port &&
        port.address == events.address) {
      return i;
    }
  }
  return std::nullopt;
}

std::string Ports::owner(std::size_t number) const {
  const Port& port = ports_[number];
  if (port.ranks.size() != 1) return port.host;
  return "rank " + std::to_string(port.ranks.front()) + " (" + port.host + ")";
}

}  // namespace railgauge::diagnosis
