#include <algorithm>
#include <map>

#include "fabric/description.hpp"

namespace railgauge::fabric::described {
namespace {

bool joins(const Link& link, std::string_view one, std::string_view other) {
  return (link.a.node == one && link.b.node == other) ||
         (link.a.node == other && link.b.node == one);
}

/// Whether "host3.rail1" is this end. Names of hosts may have dots of their own.
bool is_port(const LinkEnd& end, std::string_view name) {
  return name == end.node + "." + end.port;
}

bool is_end(const LinkEnd& end, std::string_view name) {
  return name == end.node || is_port(end, name);
}

bool is_called(const Link& link, std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return is_port(link.a, name) || is_port(link.b, name);
  const auto one = name.substr(0, colon);
  const auto other = name.substr(colon + 1);
  return (is_end(link.a, one) && is_end(link.b, other)) ||
         (is_end(link.a, other) && is_end(link.b, one));
}

}  // namespace

std::string link_name(const Fabric& fabric, std::size_t link) {
  const Link& named = fabric.links.at(link);
  const auto same = std::ranges::count_if(
      fabric.links, [&](const Link& other) { return joins(other, named.a.node, named.b.node); });
  if (same == 1) return named.a.node + ":" + named.b.node;
  return named.a.node + "." + named.a.port + ":" + named.b.node + "." + named.b.port;
}

std::optional<std::size_t> find_link(const Fabric& fabric, std::string_view name) {
  std::optional<std::size_t> found;
  for (std::size_t at = 0; at < fabric.links.size(); ++at) {
    if (!is_called(fabric.links[at], name)) continue;
    if (found) return std::nullopt;
    found = at;
  }
  return found;
}

bool is_host(const Fabric& fabric, std::string_view node) {
  return std::ranges::any_of(fabric.hosts, [&](const Host& host) { return host.name == node; });
}

std::vector<SwitchLink> switch_links(const Fabric& fabric) {
  constexpr double kMegabitsPerGigabit = 1000;
  std::map<std::string_view, const Switch*> switches;
  for (const Switch& one : fabric.switches) switches.emplace(one.name, &one);
  std::vector<SwitchLink> links;
  for (const Link& link : fabric.links) {
    const auto a = switches.find(link.a.node);
    const auto b = switches.find(link.b.node);
    if (a == switches.end() || b == switches.end()) continue;
    const bool up = a->second->tier < b->second->tier;
    links.push_back({.lower = (up ? a : b)->second->address,
                     .upper = (up ? b : a)->second->address,
                     .gbps = link.rate_mbit_per_s / kMegabitsPerGigabit});
  }
  return links;
}

}  // namespace railgauge::fabric::described
