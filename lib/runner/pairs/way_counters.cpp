#include "runner/pairs/way_counters.hpp"

#include <algorithm>
#include <utility>

#include "telemetry/meaning.hpp"

namespace railgauge::runner {
namespace {

using telemetry::Way;
using Moved = std::map<std::string, std::int64_t>;

/// What is not about the other way.
Moved without(Moved moved, Way other) {
  std::erase_if(moved, [&](const auto& entry) {
    const auto meaning = telemetry::meaning_of(entry.first);
    return meaning && meaning->way == other;
  });
  return moved;
}

std::int64_t lost(const Moved& moved) {
  std::int64_t sum = 0;
  for (const auto& [name, by] : moved) {
    const auto meaning = telemetry::meaning_of(name);
    if (meaning && meaning->counted == telemetry::Counted::loss) sum += by;
  }
  return sum;
}

}  // namespace

WayCounters::WayCounters(const results::Document& document, const AllNics& all,
                         std::vector<results::PortEvents> events)
    : document_(document), all_(all), events_(std::move(events)) {}

void WayCounters::add_to(WayFigures& way) const {
  results::PairFigures& figures = way.figures;
  figures.sender_events = without(moved(way.from), Way::received);
  figures.receiver_events = without(moved(way.to), Way::sent);
  if (!counts(way.from) || !counts(way.to)) return;
  figures.retransmissions = std::max(lost(figures.sender_events), lost(figures.receiver_events));
}

template <class Port>
bool WayCounters::is_of(const Port& port, std::size_t nic) const {
  const reachability::Nic& one = all_.nics[nic];
  return port.host == document_.ranks[all_.rank_of[nic]].host && port.device == one.device &&
         port.port == one.port && port.address == one.address;
}

bool WayCounters::counts(std::size_t nic) const {
  return std::ranges::any_of(document_.counters, [&](const results::PortCounters& port) {
    return is_of(port, nic) && !port.before.empty();
  });
}

WayCounters::Moved WayCounters::moved(std::size_t nic) const {
  for (const results::PortEvents& port : events_) {
    if (is_of(port, nic)) return port.moved;
  }
  return {};
}

}  // namespace railgauge::runner
