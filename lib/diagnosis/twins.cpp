#include "diagnosis/twins.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "diagnosis/place.hpp"
#include "measure/statistics.hpp"

namespace railgauge::diagnosis {
namespace {

/// Healthy ports differ by less from each other.
constexpr double kLeastTimes = 1.4;
/// And by so many times what the furthest of the rail's other paths is from the middle one.
constexpr double kLeastSpreads = 2;
constexpr std::size_t kFewestOthers = 2;
/// What one path shows may be chance.
constexpr std::size_t kFewestPaths = 2;

/// A path against its twins.
struct Compared {
  double log_times = 0;    ///< the logarithm of how many times longer the middle chunk takes
  double log_fastest = 0;  ///< and the fastest, to which load adds least
  bool longer = false;     ///< by more than healthy ports differ
};

using AllCompared = std::map<Path, Compared>;
using Owners = std::pair<std::size_t, std::size_t>;
using Family = std::vector<const PathTime*>;

/// The first of the ports that the same ranks drive.
std::size_t owner(std::size_t port, const Ports& ports) {
  std::size_t first = 0;
  while (!ports.together(first, port)) ++first;
  return first;
}

/// Paths along a rail, by who sends and who receives.
std::map<Owners, Family> families_of(const std::vector<PathTime>& row, const Ports& ports) {
  std::map<Owners, Family> families;
  for (const PathTime& time : row) {
    const auto [from, to] = time.path;
    if (same_rail(ports[from], ports[to]) && time.samples >= kFewestSamples && time.min_us > 0)
      families[{owner(from, ports), owner(to, ports)}].push_back(&time);
  }
  return families;
}

std::optional<Compared> compared(const PathTime& time, const Family& family) {
  std::vector<double> medians_us;
  std::vector<double> fastest_us;
  for (const PathTime* twin : family) {
    if (twin == &time || twin->bytes != time.bytes) continue;
    medians_us.push_back(twin->median_us);
    fastest_us.push_back(twin->min_us);
  }
  if (medians_us.empty()) return std::nullopt;
  const double usual_us = measure::median(medians_us);
  return Compared{.log_times = std::log(time.median_us / usual_us),
                  .log_fastest = std::log(time.min_us / measure::median(fastest_us)),
                  .longer = time.median_us > kLeastTimes * usual_us &&
                            time.median_us > usual_us + time.least_excess_us};
}

AllCompared compare_twins(const std::vector<PathTime>& row, const Ports& ports) {
  AllCompared all;
  for (const auto& [owners, family] : families_of(row, ports)) {
    for (const PathTime* time : family) {
      if (const auto one = compared(*time, family)) all.emplace(time->path, *one);
    }
  }
  return all;
}

/// What paths on the port's rail have that none of its ranks serves.
std::vector<double> of_others(std::size_t port, const AllCompared& all, const Ports& ports) {
  std::vector<double> others;
  for (const auto& [path, one] : all) {
    if (same_rail(ports[path.from], ports[port]) && !ports.together(path.from, port) &&
        !ports.together(path.to, port))
      others.push_back(one.log_times);
  }
  return others;
}

/// From which logarithm on a path of the port is slower than its twins; infinity: nothing tells.
double threshold_at(std::size_t port, const AllCompared& all, const Ports& ports) {
  const std::vector<double> others = of_others(port, all, ports);
  if (others.size() < kFewestOthers) return INFINITY;
  const double usual = measure::median(others);
  double spread = 0;
  for (const double one : others) spread = std::max(spread, std::abs(one - usual));
  return usual + std::max(std::log(kLeastTimes), kLeastSpreads * spread);
}

/// The paths of the place, if all are slower, and half of their fastest chunks, too.
std::set<Path> if_all_slower(const Place& place, double threshold, const AllCompared& all,
                             const Ports& ports) {
  std::set<Path> paths;
  std::vector<double> fastest;
  for (const auto& [path, one] : all) {
    if (!holds(place, path, ports)) continue;
    if (!one.longer || one.log_times < threshold) return {};
    paths.insert(path);
    fastest.push_back(one.log_fastest);
  }
  const bool told =
      paths.size() >= kFewestPaths && measure::median(fastest) > std::log(kLeastTimes);
  return told ? paths : std::set<Path>{};
}

/// Ports at the ends of paths that are longer.
std::set<std::size_t> suspects(const AllCompared& all) {
  std::set<std::size_t> ports;
  for (const auto& [path, one] : all) {
    if (one.longer) ports.insert({path.from, path.to});
  }
  return ports;
}

}  // namespace

std::set<Path> slower_than_twins(const std::vector<PathTime>& row, const Ports& ports) {
  const AllCompared all = compare_twins(row, ports);
  std::set<Path> found;
  for (const std::size_t port : suspects(all)) {
    const double threshold = threshold_at(port, all, ports);
    for (const Direction direction : {Direction::transmit, Direction::receive, Direction::both})
      found.merge(if_all_slower({.scope = Scope::port, .direction = direction, .port = port},
                                threshold, all, ports));
  }
  return found;
}

}  // namespace railgauge::diagnosis
