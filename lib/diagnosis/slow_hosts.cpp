#include "diagnosis/slow_hosts.hpp"

#include <algorithm>
#include <string>

#include "diagnosis/place.hpp"

namespace railgauge::diagnosis {
namespace {

/// Of 129 healthy runs of 3 to 6 ranks on two busy processors none had a host that was slower by
/// this in most of its five rows.
constexpr double kLeastTimesOfOthers = 1.5;
constexpr std::size_t kFewestPathsOfHost = 2;
/// With paths of their own that do not touch it: of three hosts, a fast pair makes the third slow.
constexpr std::size_t kFewestOtherHosts = 3;

/// The fastest chunks of paths that pass the place, and of the others.
struct Sides {
  std::set<Path> paths{};
  double least_us = 0;  ///< of those that pass it
  double most_of_others_us = 0;
  std::set<std::string> other_hosts{};  ///< that others reach without touching the host
};

Sides sides_of(const Place& place, const std::vector<PathTime>& row, const Ports& ports) {
  Sides sides;
  for (const PathTime& time : row) {
    if (holds(place, time.path, ports)) {
      sides.least_us = sides.paths.empty() ? time.min_us : std::min(sides.least_us, time.min_us);
      sides.paths.insert(time.path);
      continue;
    }
    sides.most_of_others_us = std::max(sides.most_of_others_us, time.min_us);
    const auto [from, to] = time.path;
    if (ports.together(from, place.port) || ports.together(to, place.port)) continue;
    sides.other_hosts.insert({ports.owner(from), ports.owner(to)});
  }
  return sides;
}

/// Not by more on a busy machine (PathTime::least_excess_us), as many paths confirm each other.
bool is_slower(const Sides& sides) {
  return sides.paths.size() >= kFewestPathsOfHost &&
         sides.other_hosts.size() >= kFewestOtherHosts &&
         sides.least_us > kLeastTimesOfOthers * sides.most_of_others_us &&
         sides.least_us > sides.most_of_others_us + kLeastExcess;
}

/// One port of each host.
std::vector<std::size_t> hosts_of(const Ports& ports) {
  std::vector<std::size_t> first;
  for (std::size_t port = 0; port < ports.size(); ++port) {
    const auto same = [&](std::size_t other) { return ports.together(port, other); };
    if (std::ranges::none_of(first, same)) first.push_back(port);
  }
  return first;
}

/// Few samples tell nothing, nor does the turn in which a path was served.
bool tells(const PathTime& time) {
  return time.samples >= kFewestSamples && !time.in_turn;
}

}  // namespace

std::set<Path> slower_than_other_hosts(const std::vector<PathTime>& row, const Ports& ports) {
  if (row.empty() || !std::ranges::all_of(row, tells)) return {};
  std::set<Path> found;
  for (const std::size_t port : hosts_of(ports)) {
    for (const Direction direction : {Direction::transmit, Direction::receive, Direction::both}) {
      const Place host{.scope = Scope::host, .direction = direction, .port = port};
      Sides sides = sides_of(host, row, ports);
      if (is_slower(sides)) found.merge(sides.paths);
    }
  }
  return found;
}

}  // namespace railgauge::diagnosis
