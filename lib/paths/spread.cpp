#include "paths/spread.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "paths/source_port.hpp"

namespace railgauge::paths {
namespace {

using Hops = std::vector<std::optional<topology::IpAddress>>;

/// By place on the way, whether a switch there has answered anybody.
std::vector<bool> places_that_answer(const Trace& trace) {
  std::vector<bool> answering;
  for (const PortPath& path : trace.paths) {
    answering.resize(std::max(answering.size(), path.switches.size()), false);
    for (std::size_t at = 0; at < path.switches.size(); ++at)
      answering[at] = answering[at] || path.switches[at].has_value();
  }
  return answering;
}

bool is_complete(const PortPath& path, const std::vector<bool>& answering) {
  for (std::size_t at = 0; at < answering.size(); ++at) {
    if (answering[at] && !path.switches[at]) return false;
  }
  return std::ranges::count(answering, true) > 0;
}

/// The switch that is the last to answer, if all before it have that answer anybody.
std::optional<topology::IpAddress> cut_off_behind(const PortPath& path,
                                                  const std::vector<bool>& answering) {
  std::optional<topology::IpAddress> last;
  bool missing = false;
  for (std::size_t at = 0; at < answering.size(); ++at) {
    if (!answering[at]) continue;
    const auto& hop = path.switches[at];
    if (hop && missing) return std::nullopt;
    missing = !hop;
    if (hop) last = hop;
  }
  return last;
}

/// Empty if one of its ports was not traced.
std::optional<PortSeries> series(const DistinctPaths& paths, std::uint32_t first,
                                 std::uint32_t step, std::size_t queue_pairs) {
  std::set<std::size_t> taken;
  std::optional<PortSeries> made;
  for (std::size_t at = 0; at < queue_pairs; ++at) {
    const std::size_t port = first + at * step;
    const auto path =
        port > 0xffff ? std::nullopt : paths.path_of(static_cast<std::uint16_t>(port));
    if (!path) return made;
    taken.insert(*path);
  }
  made =
      PortSeries{static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(step), taken.size()};
  return made;
}

void keep_better(std::optional<PortSeries>& best, const std::optional<PortSeries>& other) {
  if (other && (!best || other->paths > best->paths)) best = other;
}

}  // namespace

std::optional<std::size_t> DistinctPaths::path_of(std::uint16_t port) const {
  std::optional<std::size_t> found;
  for (std::size_t path = 0; path < ports.size(); ++path) {
    if (std::ranges::count(ports[path], port) > 0) found = path;
  }
  return found;
}

DistinctPaths distinct_paths(const Trace& trace) {
  const std::vector<bool> answering = places_that_answer(trace);
  DistinctPaths found;
  std::map<Hops, std::size_t> numbers;
  for (const PortPath& path : trace.paths) {
    if (!is_complete(path, answering)) {
      found.incomplete.push_back(path.source_port);
      if (const auto last = cut_off_behind(path, answering))
        found.cut_off[*last].push_back(path.source_port);
      continue;
    }
    const auto [entry, is_new] = numbers.try_emplace(path.switches, found.ports.size());
    if (is_new) found.ports.emplace_back();
    found.ports[entry->second].push_back(path.source_port);
  }
  return found;
}

std::vector<std::uint16_t> port_of_each_path(const Trace& trace) {
  const std::vector<bool> answering = places_that_answer(trace);
  std::map<Hops, std::uint16_t> first;
  for (const PortPath& path : trace.paths) {
    if (is_complete(path, answering)) first.try_emplace(path.switches, path.source_port);
  }
  std::vector<std::uint16_t> ports;
  ports.reserve(first.size());
  for (const auto& [hops, port] : first) ports.push_back(port);
  return ports;
}

std::vector<std::uint16_t> spread(const DistinctPaths& paths, std::size_t queue_pairs) {
  std::vector<std::uint16_t> chosen;
  bool any = true;
  for (std::size_t turn = 0; any && chosen.size() < queue_pairs; ++turn) {
    any = false;
    for (const auto& ports : paths.ports) {
      if (turn >= ports.size() || chosen.size() == queue_pairs) continue;
      chosen.push_back(ports[turn]);
      any = true;
    }
  }
  return chosen;
}

std::optional<PortSeries> series_from_first_port(const DistinctPaths& paths,
                                                 std::size_t queue_pairs) {
  constexpr std::uint32_t kMostStep = 0x3fff;
  std::optional<PortSeries> best;
  for (std::uint32_t step = 1; queue_pairs > 1 && step <= kMostStep / (queue_pairs - 1); ++step)
    keep_better(best, series(paths, kFirstSourcePort, step, queue_pairs));
  return best;
}

std::optional<PortSeries> consecutive_ports(const DistinctPaths& paths, std::size_t queue_pairs) {
  std::optional<PortSeries> best;
  for (std::uint32_t first = kFirstSourcePort; first <= 0xffff; ++first)
    keep_better(best, series(paths, first, 1, queue_pairs));
  return best;
}

}  // namespace railgauge::paths
