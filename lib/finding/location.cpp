#include "finding/location.hpp"

#include <algorithm>

#include "finding/words.hpp"

namespace railgauge::finding {
namespace {

std::string device_of(const Endpoint& endpoint) {
  const int port = endpoint.port.value_or(1);
  return endpoint.device + (port == 1 || endpoint.device.empty() ? "" : ":" + std::to_string(port));
}

/// "host3 mlx5_1", as far as it is known.
std::string name_of(const Endpoint& endpoint) {
  const std::string device = device_of(endpoint);
  return endpoint.host + (endpoint.host.empty() || device.empty() ? "" : " ") + device;
}

/// "rail 1", "rail 1 plane 0".
std::string rail_of(const Endpoint& endpoint) {
  if (!endpoint.rail) return "";
  const std::string rail = "rail " + std::to_string(*endpoint.rail);
  return rail + (endpoint.plane ? " plane " + std::to_string(*endpoint.plane) : "");
}

/// Of a single rank: several of a host are no help to find the port.
std::string rank_of(const Endpoint& endpoint) {
  return endpoint.ranks.size() == 1 ? "rank " + std::to_string(endpoint.ranks.front()) : "";
}

std::string with_brackets(const std::string& name, const std::vector<std::string>& details) {
  std::vector<std::string> known;
  std::ranges::copy_if(details, std::back_inserter(known),
                       [](const std::string& one) { return !one.empty(); });
  return known.empty() ? name : name + " (" + joined(known) + ")";
}

std::string suffix_of(Direction direction) {
  switch (direction) {
    case Direction::both: return "";
    case Direction::transmit: return " TX";
    case Direction::receive: return " RX";
  }
  return "";
}

/// "leaf0 -> spine2"; "?" for one that is not known.
std::string link_of(std::vector<std::string> switches) {
  std::ranges::replace(switches, "", "?");
  return joined(switches, " -> ");
}

/// A path's ends have a direction by themselves, and so has a link.
std::string place_of(const Location& location, std::string (*port_words)(const Endpoint&)) {
  switch (location.scope) {
    case Scope::fabric: return "fabric";
    case Scope::rail: return rail_of(location.at);
    case Scope::host: return location.at.host + suffix_of(location.direction);
    case Scope::processor:
      return port_words({.host = location.at.host, .ranks = location.at.ranks});
    case Scope::device: return with_brackets(name_of(location.at), {rail_of(location.at)});
    case Scope::port: return port_words(location.at) + suffix_of(location.direction);
    case Scope::path:
      return port_words(location.at) + " -> " + port_words(location.peer.value_or(Endpoint{}));
    case Scope::link: return "link " + link_of(location.switches);
    case Scope::cable: return "cable " + joined(location.switches, " - ");
    case Scope::node: return "switch " + joined(location.switches);
  }
  return "";
}

std::string without_ranks(const Endpoint& endpoint) {
  return with_brackets(name_of(endpoint), {rail_of(endpoint)});
}

bool has(const Endpoint& outer, const Endpoint& inner) {
  const auto fits = [](const auto& one, const auto& other) { return !one || one == other; };
  const bool device =
      outer.device.empty() ? fits(outer.rail, inner.rail) : outer.device == inner.device;
  return outer.host == inner.host && device && fits(outer.port, inner.port) &&
         (outer.address.empty() || outer.address == inner.address);
}

bool same_rail(const Endpoint& outer, const Endpoint& inner) {
  return outer.rail == inner.rail && (!outer.plane || outer.plane == inner.plane);
}

bool end_is_in(const Location& outer, const Endpoint& end) {
  switch (outer.scope) {
    case Scope::fabric: return true;
    case Scope::rail: return same_rail(outer.at, end);
    case Scope::host:
    case Scope::processor: return outer.at.host == end.host;
    case Scope::device:
    case Scope::port: return has(outer.at, end);
    default: return false;
  }
}

bool shares_switches(const Location& outer, const Location& inner) {
  return !outer.switches.empty() &&
         std::search(inner.switches.begin(), inner.switches.end(), outer.switches.begin(),
                     outer.switches.end()) != inner.switches.end();
}

/// In either direction.
bool shares_cable(Location outer, const Location& inner) {
  if (shares_switches(outer, inner)) return true;
  std::ranges::reverse(outer.switches);
  return shares_switches(outer, inner);
}

}  // namespace

std::string_view word(Scope scope) {
  return json::word_of<Scope::node>(scope, {"fabric", "rail", "host", "processor", "device", "port",
                                            "path", "link", "cable", "switch"});
}

std::string_view word(Direction direction) {
  return json::word_of<Direction::receive>(direction, {"both", "transmit", "receive"});
}

std::string in_words(const Endpoint& endpoint) {
  return with_brackets(name_of(endpoint), {rail_of(endpoint), rank_of(endpoint)});
}

std::string in_words(const Location& location) {
  return place_of(location, &in_words);
}

std::string key_of(const Location& location) {
  return place_of(location, &without_ranks);
}

bool reaches(const Location& outer, const Location& inner) {
  if (outer.scope == Scope::path && inner.scope == Scope::path)
    return has(outer.at, inner.at) && inner.peer &&
           has(outer.peer.value_or(Endpoint{}), *inner.peer);
  if (outer.scope == Scope::cable) return shares_cable(outer, inner);
  if (outer.scope == Scope::link || outer.scope == Scope::node)
    return shares_switches(outer, inner);
  return end_is_in(outer, inner.at) || (inner.peer && end_is_in(outer, *inner.peer));
}

}  // namespace railgauge::finding
