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
/// And a slow one by so many times what the furthest of the others is from the middle path of its
/// rail.
constexpr double kLeastSpreads = 2;
constexpr double kLeastSpreadsAlone = 4;  // of a path that no other path of the port confirms
constexpr std::size_t kFewestOthers = 2;  // on the rail, to tell how much paths differ
constexpr std::size_t kFewestPaths = 2;   // of a port, to confirm each other

/// A path against its twins: the logarithms of how many times longer chunks take.
struct Compared {
  double middle = 0;
  double fastest = 0;
  bool longer = false;       ///< the middle one, by more than healthy ports differ
  bool beyond_load = false;  ///< the fastest one
};

using AllCompared = std::map<Path, Compared>;
using Owners = std::pair<std::vector<int>, std::vector<int>>;  ///< ranks of both ends
using Family = std::vector<const PathTime*>;

/// Paths along a rail, by who sends and who receives. Where one rank serves all others in turn, its
/// rails have turns, too.
std::map<Owners, Family> families_of(const std::vector<PathTime>& row, const Ports& ports) {
  std::map<Owners, Family> families;
  for (const PathTime& time : row) {
    const auto [from, to] = time.path;
    const bool told = time.samples >= kFewestSamples && time.min_us > 0 && !time.in_turn;
    if (told && same_rail(ports[from], ports[to]))
      families[{ports[from].ranks, ports[to].ranks}].push_back(&time);
  }
  return families;
}

std::optional<Compared> compared(const PathTime& time, const Family& family) {
  constexpr double kBeyondLoad_us = 1000;  // load does not add that to the fastest of many chunks
  std::vector<double> medians_us;
  std::vector<double> fastest_us;
  for (const PathTime* twin : family) {
    if (twin == &time || twin->bytes != time.bytes) continue;
    medians_us.push_back(twin->median_us);
    fastest_us.push_back(twin->min_us);
  }
  if (medians_us.empty()) return std::nullopt;
  const double usual_us = measure::median(medians_us);
  const double usual_fastest_us = measure::median(fastest_us);
  return Compared{.middle = std::log(time.median_us / usual_us),
                  .fastest = std::log(time.min_us / usual_fastest_us),
                  .longer = time.median_us > kLeastTimes * usual_us &&
                            time.median_us > usual_us + time.least_excess_us,
                  .beyond_load = time.min_us > usual_fastest_us + kBeyondLoad_us};
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

using Chunk = double Compared::*;
using Rail = std::pair<int, int>;  ///< and its plane

Rail rail_of(const Port& port) {
  return {port.rail, port.plane};
}

/// What paths have that none of the port's ranks serves: of each rail.
std::map<Rail, std::vector<double>> of_others(std::size_t port, Chunk chunk, const AllCompared& all,
                                              const Ports& ports) {
  std::map<Rail, std::vector<double>> others;
  for (const auto& [path, one] : all) {
    if (!ports.together(path.from, port) && !ports.together(path.to, port))
      others[rail_of(ports[path.from])].push_back(one.*chunk);
  }
  return others;
}

/// From which logarithm on a path of the port is slower than its twins; infinity: nothing tells.
double threshold_at(std::size_t port, Chunk chunk, double spreads, const AllCompared& all,
                    const Ports& ports) {
  auto others = of_others(port, chunk, all, ports);
  const std::vector<double>& on_rail = others[rail_of(ports[port])];
  if (on_rail.size() < kFewestOthers) return INFINITY;
  double spread = 0;
  for (const auto& [rail, values] : others) {
    const double usual = measure::median(values);
    for (const double one : values) spread = std::max(spread, std::abs(one - usual));
  }
  return measure::median(on_rail) + std::max(std::log(kLeastTimes), spreads * spread);
}

/// The paths of the place, if the middle chunks of all are slower, and the fastest of most, too:
/// that of a path to a slow sender waits only for its acknowledgement.
std::set<Path> if_all_slower(const Place& place, double threshold, const AllCompared& all,
                             const Ports& ports) {
  std::set<Path> paths;
  std::size_t fastest = 0;
  for (const auto& [path, one] : all) {
    if (!holds(place, path, ports)) continue;
    if (!one.longer || one.middle < threshold) return {};
    paths.insert(path);
    fastest += one.fastest > std::log(kLeastTimes) ? 1 : 0;
  }
  const bool told = paths.size() >= kFewestPaths && 2 * fastest > paths.size();
  return told ? paths : std::set<Path>{};
}

/// Those from the port whose fastest chunk is slower by far.
std::set<Path> slower_alone(std::size_t port, const AllCompared& all, const Ports& ports) {
  const double threshold = threshold_at(port, &Compared::fastest, kLeastSpreadsAlone, all, ports);
  std::set<Path> paths;
  for (const auto& [path, one] : all) {
    if (path.from == port && one.beyond_load && one.fastest >= threshold) paths.insert(path);
  }
  return paths;
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
    const double threshold = threshold_at(port, &Compared::middle, kLeastSpreads, all, ports);
    for (const Direction direction : {Direction::transmit, Direction::receive, Direction::both})
      found.merge(if_all_slower({.scope = Scope::port, .direction = direction, .port = port},
                                threshold, all, ports));
    found.merge(slower_alone(port, all, ports));
  }
  return found;
}

}  // namespace railgauge::diagnosis
