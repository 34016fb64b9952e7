#include "soak/lost_packets.hpp"

#include <algorithm>

namespace railgauge::soak {
namespace {

using Losses = std::vector<const PortLoss*>;

Losses with(const std::vector<PortLoss>& ports, std::int64_t PortLoss::*way) {
  Losses found;
  for (const PortLoss& one : ports) {
    if (one.*way > 0) found.push_back(&one);
  }
  return found;
}

std::int64_t most_of(const PortLoss& one) {
  return std::max({one.sent, one.received, one.either});
}

std::string packets(std::int64_t number) {
  return std::to_string(number) + " packet" + (number == 1 ? "" : "s");
}

/// What became of them.
std::string what(EventKind kind) {
  switch (kind) {
    case EventKind::corruption: return "arrived with a wrong checksum";
    case EventKind::retransmission: return "sent again";
    default: return "did not arrive";
  }
}

/// How an event of that kind begins.
std::string head(EventKind kind) {
  switch (kind) {
    case EventKind::corruption: return "packets falsified";
    case EventKind::retransmission: return "packets sent again";
    default: return "packet loss";
  }
}

/// The port that is named, and all that was counted in a sentence.
struct Blame {
  const PortLoss* port = nullptr;
  std::string text{};
  std::string cause{};
};

Blame at_receiver(EventKind kind, const PortLoss& port, const Places& places) {
  const std::string name = places.name(*port.port);
  return {&port, packets(port.received) + " " + what(kind) + " at " + name,
          "cable or port of " + name};
}

Blame at_sender(EventKind kind, const PortLoss& port, const Places& places) {
  const std::string name = places.name(*port.port);
  return {&port, packets(port.sent) + " that " + name + " sent " + what(kind),
          "cable or port of " + name};
}

Blame on_path(EventKind kind, const PortLoss& from, const PortLoss& to, const Places& places) {
  return {&to,
          packets(to.received) + " from " + places.name(*from.port) + " " + what(kind) + " at " +
              places.name(*to.port),
          "a cable or switch port between the two"};
}

Blame somewhere(EventKind kind, const std::vector<PortLoss>& ports, const Places& places) {
  const PortLoss& most = *std::ranges::max_element(ports, {}, most_of);
  const std::string name = places.name(*most.port);
  if (ports.size() == 1) {
    return {&most, packets(most_of(most)) + " " + what(kind) + ", " + name + " tells", ""};
  }
  return {&most,
          std::to_string(ports.size()) + " ports of " +
              places.rail_name(most.port->rail, most.port->plane) + " count packets that " +
              what(kind) + ", most " + name + ": " + std::to_string(most_of(most)),
          "a switch, or several cables"};
}

Blame blamed(EventKind kind, const std::vector<PortLoss>& ports, const Places& places) {
  const Losses to = with(ports, &PortLoss::received);
  const Losses from = with(ports, &PortLoss::sent);
  if (to.size() == 1 && from.size() == 1 && to.front() != from.front()) {
    return on_path(kind, *from.front(), *to.front(), places);
  }
  if (to.size() == 1) return at_receiver(kind, *to.front(), places);
  if (from.size() == 1) return at_sender(kind, *from.front(), places);
  return somewhere(kind, ports, places);
}

}  // namespace

Event blame(EventKind kind, const Window& window, const std::vector<PortLoss>& ports,
            const Places& places) {
  const Blame found = blamed(kind, ports, places);
  Event event = event_at(kind, window, *found.port->port);
  event.counters = found.port->counters;
  event.cause = found.cause;
  event.text = head(kind) + ": " + found.text;
  for (const auto& [name, by] : event.counters) {
    event.text +=
        (name == event.counters.begin()->first ? " (" : ", ") + name + " " + std::to_string(by);
  }
  event.text += ")";
  return event;
}

}  // namespace railgauge::soak
