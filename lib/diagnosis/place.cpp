#include "diagnosis/place.hpp"

#include <array>
#include <utility>

namespace railgauge::diagnosis {
namespace {

bool passes(Direction direction, bool from, bool to) {
  switch (direction) {
    case Direction::transmit: return from;
    case Direction::receive: return to;
    case Direction::both: return from || to;
  }
  return false;
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
    default: return false;
  }
}

namespace {

/// Only a rail of several planes has them named.
std::optional<int> plane_of(const Port& port, const Ports& ports) {
  for (std::size_t other = 0; other < ports.size(); ++other) {
    if (ports[other].rail == port.rail && ports[other].plane != port.plane) return port.plane;
  }
  return std::nullopt;
}

finding::Endpoint endpoint_of(std::size_t number, const Ports& ports) {
  const Port& port = ports[number];
  return {.host = port.host,
          .device = port.device,
          .port = port.number,
          .rail = port.rail,
          .plane = plane_of(port, ports),
          .address = port.address,
          .ranks = port.ranks};
}

constexpr std::array kDirections{Direction::transmit, Direction::receive, Direction::both};

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

finding::Location location_of(const Place& place, const Ports& ports) {
  finding::Location location{.scope = place.scope, .direction = place.direction};
  if (place.scope == Scope::path) {
    location.direction = Direction::both;
    location.at = endpoint_of(place.path.from, ports);
    location.peer = endpoint_of(place.path.to, ports);
    return location;
  }
  const finding::Endpoint port = endpoint_of(place.port, ports);
  if (place.scope == Scope::port) location.at = port;
  if (place.scope == Scope::host) location.at = {.host = port.host, .ranks = port.ranks};
  if (place.scope == Scope::rail) location.at = {.rail = port.rail, .plane = port.plane};
  return location;
}

std::string remedy_at(const Place& place, const Ports& ports) {
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
    case Scope::rail: return "check the switches of " + in_words(location_of(place, ports));
    default: return "";
  }
}

bool is_software(const Place& place, const Ports& ports) {
  return ports[place.scope == Scope::path ? place.path.from : place.port].software;
}

}  // namespace railgauge::diagnosis
