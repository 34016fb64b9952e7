#include "diagnosis/noticed.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "measure/statistics.hpp"

namespace railgauge::diagnosis {
namespace {

constexpr std::size_t kMostFaults = 4;

int agreement(const Flags& expected, const Flags& noticed) {
  int both = 0;
  for (const std::size_t port : expected) both += noticed.count(port) > 0 ? 1 : -1;
  for (const std::size_t port : noticed) both -= expected.count(port) > 0 ? 0 : 1;
  return both;
}

/// Whether all ports of its rail noticed it, and about as often: then it is no single port of them.
/// One port that has it with all others would count as much as all of them together.
bool all_alike(std::size_t one, const Flags& noticed, const std::vector<double>& counts,
               const Ports& ports) {
  constexpr std::size_t kFewestPorts = 3;
  constexpr double kAlike = 1.7;
  const std::vector<std::size_t> rail = ports_of_rail(one, ports);
  if (rail.size() < kFewestPorts || counts.empty()) return false;
  std::vector<double> all;
  for (const std::size_t port : rail) {
    if (noticed.count(port) == 0) return false;
    all.push_back(counts[port]);
  }
  return *std::ranges::max_element(all) < kAlike * measure::median(all);
}

/// How well the place explains how often each port noticed it, if it happens on all of its paths
/// alike: the cosine of the angle between the two.
double fit(const Place& place, const Noticed& noticed, const Ports& ports) {
  std::vector<double> expected(ports.size(), 0);
  for (const Path& path : noticed.paths) expected[path.to] += holds(place, path, ports) ? 1 : 0;
  const auto product = [](const std::vector<double>& one, const std::vector<double>& other) {
    return std::inner_product(one.begin(), one.end(), other.begin(), 0.0);
  };
  const double lengths = product(expected, expected) * product(noticed.counts, noticed.counts);
  return lengths > 0 ? product(expected, noticed.counts) / std::sqrt(lengths) : 0;
}

/// What only its receiver noticed may be any path's that ends there: then it is the port that is
/// named, unless it has one peer.
Place unless_any_path(const Place& place, const Noticed& noticed, const Ports& ports) {
  if (place.scope != Scope::path || !noticed.senders.empty()) return place;
  const Place port{.scope = Scope::port, .direction = Direction::receive, .port = place.path.to};
  const auto held = std::ranges::count_if(
      noticed.paths, [&](const Path& path) { return holds(port, path, ports); });
  return held > 1 ? port : place;
}

/// How many who noticed it and who did not the place explains, then how well; what is left
/// unexplained counts against all places alike.
std::pair<int, double> merit_of(const Place& place, const Noticed& noticed, const Ports& ports) {
  const Flags to = ends_of(place, noticed.paths, ports, &Path::to);
  if (to.empty()) return {0, 0};
  int score = agreement(to, noticed.receivers);
  if (!noticed.senders.empty())
    score += agreement(ends_of(place, noticed.sent, ports, &Path::from), noticed.senders);
  score += static_cast<int>(noticed.receivers.size() + noticed.senders.size());
  return {score, fit(place, noticed, ports)};
}

const Place* best_of(const std::vector<Place>& places, const Noticed& noticed, const Ports& ports) {
  const Place* best = nullptr;
  std::pair<int, double> most{0, 1};
  for (const Place& place : places) {
    const std::pair<int, double> merit = merit_of(place, noticed, ports);
    if (merit <= most) continue;
    most = merit;
    best = &place;
  }
  return best;
}

void forget(Noticed& noticed, const Place& explained, const Ports& ports) {
  for (const std::size_t port : ends_of(explained, noticed.paths, ports, &Path::to))
    noticed.receivers.erase(port);
  for (const std::size_t port : ends_of(explained, noticed.sent, ports, &Path::from))
    noticed.senders.erase(port);
}

std::size_t left_in(const Noticed& noticed) {
  return noticed.receivers.size() + noticed.senders.size();
}

}  // namespace

Flags ends_of(const Place& place, const std::set<Path>& paths, const Ports& ports,
              std::size_t Path::*end) {
  Flags ends;
  for (const Path& path : paths) {
    if (holds(place, path, ports)) ends.insert(path.*end);
  }
  return ends;
}

std::vector<std::size_t> ports_of_rail(std::size_t one, const Ports& ports) {
  std::vector<std::size_t> found;
  for (std::size_t port = 0; port < ports.size(); ++port) {
    if (same_rail(ports[one], ports[port])) found.push_back(port);
  }
  return found;
}

std::vector<Place> whole_rails(const Flags& noticed, const std::vector<double>& counts,
                               const Ports& ports) {
  std::vector<Place> found;
  for (std::size_t port = 0; port < ports.size(); ++port) {
    const bool first = ports_of_rail(port, ports).front() == port;
    if (first && all_alike(port, noticed, counts, ports))
      found.push_back({.scope = Scope::rail, .port = port});
  }
  return found;
}

std::vector<Place> explain(Noticed noticed, const Ports& ports) {
  std::vector<Place> found = whole_rails(noticed.receivers, noticed.counts, ports);
  for (const Place& rail : found) forget(noticed, rail, ports);
  const std::vector<Place> places = places_of(noticed.paths, ports);
  while (found.size() < kMostFaults && left_in(noticed) > 0) {
    const Place* const best = best_of(places, noticed, ports);
    if (best == nullptr) break;
    const Place chosen = unless_any_path(*best, noticed, ports);
    const std::size_t before = left_in(noticed);
    forget(noticed, chosen, ports);
    found.push_back(chosen);
    if (left_in(noticed) == before) break;
  }
  return found;
}

}  // namespace railgauge::diagnosis
