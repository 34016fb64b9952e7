#include "diagnosis/place.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace railgauge::diagnosis {
namespace {

bool passes(Direction direction, bool from, bool to) {
  switch (direction) {
    case Direction::sends: return from;
    case Direction::receives: return to;
    case Direction::both: return from || to;
  }
  return false;
}

std::string_view word(Scope scope) {
  switch (scope) {
    case Scope::path: return "path";
    case Scope::port: return "port";
    case Scope::host: return "host";
    case Scope::rail: return "rail";
  }
  return "";
}

std::string_view word(Direction direction) {
  switch (direction) {
    case Direction::sends: return "sends";
    case Direction::receives: return "receives";
    case Direction::both: return "both";
  }
  return "";
}

std::string of(Direction direction, const std::string& who) {
  if (direction == Direction::both) return "what " + who + " sends and receives";
  return "what " + who + " " + std::string(word(direction));
}

}  // namespace

bool holds(const Place& place, const Path& path, const Ports& ports) {
  switch (place.scope) {
    case Scope::path: return path == place.path;
    case Scope::port:
      return passes(place.direction, path.from == place.port, path.to == place.port);
    case Scope::host:
      return passes(place.direction, ports.together(path.from, place.port),
                    ports.together(path.to, place.port));
    case Scope::rail:
      return same_rail(ports[path.from], ports[place.port]) &&
             same_rail(ports[path.to], ports[place.port]);
  }
  return false;
}

namespace {

constexpr std::array kDirections{Direction::sends, Direction::receives, Direction::both};

/// Whether no port before it belongs to the same group; and whether any other does.
template <class Same>
std::pair<bool, bool> first_and_shared(std::size_t port, const Ports& ports, const Same& same) {
  bool first = true;
  bool shared = false;
  for (std::size_t other = 0; other < ports.size(); ++other) {
    if (other == port || !same(other, port)) continue;
    shared = true;
    first = first && other > port;
  }
  return {first, shared};
}

}  // namespace

std::vector<Place> places_of(const std::set<Path>& paths, const Ports& ports) {
  std::vector<Place> places;
  const auto add = [&](Scope scope, std::size_t port) {
    for (const Direction direction : kDirections)
      places.push_back({.scope = scope, .direction = direction, .port = port});
  };
  for (const Path& path : paths) places.push_back({.scope = Scope::path, .path = path});
  for (std::size_t port = 0; port < ports.size(); ++port) add(Scope::port, port);
  for (std::size_t port = 0; port < ports.size(); ++port) {
    const auto [first, shared] = first_and_shared(
        port, ports, [&](std::size_t one, std::size_t two) { return ports.together(one, two); });
    if (first && shared) add(Scope::host, port);
  }
  for (std::size_t port = 0; port < ports.size(); ++port) {
    const auto [first, shared] = first_and_shared(
        port, ports,
        [&](std::size_t one, std::size_t two) { return same_rail(ports[one], ports[two]); });
    if (first && shared) places.push_back({.scope = Scope::rail, .port = port});
  }
  return places;
}

std::string in_words(const Place& place, const Ports& ports) {
  switch (place.scope) {
    case Scope::path: {
      const Port& from = ports[place.path.from];
      const std::string other =
          from.device == ports[place.path.to].device ? "" : " to " + ports[place.path.to].device;
      return ports.owner(place.path.from) + " -> " + ports.owner(place.path.to) + " on " +
             ports.rail(place.path.from) + " (" + from.device + other + ")";
    }
    case Scope::port: return of(place.direction, ports.name(place.port));
    case Scope::host: return of(place.direction, ports.owner(place.port) + " on all rails");
    case Scope::rail: return ports.rail(place.port) + ", all ports of it";
  }
  return "";
}

std::string advice(const Place& place, const Ports& ports) {
  switch (place.scope) {
    case Scope::path: {
      const Port& from = ports[place.path.from];
      const Port& to = ports[place.path.to];
      const bool alike = from.host == to.host && from.device == to.device;
      return "check cable and port of " + from.host + " " + from.device +
             (alike ? ", at both ranks" : " and of " + to.host + " " + to.device);
    }
    case Scope::port:
      return "check cable and port of " + ports[place.port].host + " " + ports[place.port].device;
    case Scope::host: return "check " + ports.owner(place.port);
    case Scope::rail: return "check the switches of " + ports.rail(place.port);
  }
  return "";
}

void name_place(results::Finding& finding, const Place& place, const Ports& ports) {
  finding.scope = word(place.scope);
  const bool path = place.scope == Scope::path;
  const Port& port = ports[path ? place.path.from : place.port];
  finding.direction = path ? "sends" : word(place.direction);
  if (place.scope != Scope::rail) {
    finding.host = port.host;
    finding.ranks = port.ranks;
  }
  if (place.scope != Scope::host) {
    finding.rail = port.rail;
    finding.plane = port.plane;
  }
  if (path || place.scope == Scope::port) finding.device = port.device;
  if (!path) return;
  finding.to_host = ports[place.path.to].host;
  finding.to_device = ports[place.path.to].device;
  finding.to_ranks = ports[place.path.to].ranks;
}

}  // namespace railgauge::diagnosis
