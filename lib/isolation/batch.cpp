#include "isolation/batch.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace railgauge::isolation {
namespace {

bool known(int hop) {
  return hop != kUnknownSwitch;
}

}  // namespace

void Batches::set_routes(std::size_t from, std::size_t to, std::vector<Route> routes) {
  routes_[{from, to}] = std::move(routes);
}

/// Of a sprayed test the inner switches are any.
std::vector<Batches::Link> Batches::links_of(const Route& route) {
  if (route.hops.empty()) return {{kUnknownSwitch, kUnknownSwitch}};
  std::vector<Link> links;
  const std::size_t last = route.hops.size() - 1;
  const auto hop = [&](std::size_t at) {
    return route.sprayed && at > 0 && at < last ? kUnknownSwitch : route.hops[at];
  };
  for (std::size_t at = 0; at < last; ++at) links.emplace_back(hop(at), hop(at + 1));
  return links;
}

bool Batches::may_be_one(const Link& one, const Link& other) {
  const auto agree = [](int here, int there) {
    return here == there || !known(here) || !known(there);
  };
  const Link nothing{kUnknownSwitch, kUnknownSwitch};
  if (one == nothing || other == nothing) return true;
  // Where both ends would have to be guessed, one from each, they are taken for two: an uplink of
  // one leaf, and a downlink to another.
  const bool begin = known(one.first) && one.first == other.first;
  const bool end = known(one.second) && one.second == other.second;
  return (begin && agree(one.second, other.second)) || (end && agree(one.first, other.first));
}

/// How often its links were tested; of equal ones the source port decides.
std::uint64_t Batches::use_of(const PlannedTest& test) const {
  constexpr std::uint64_t kMore = 1U << 20U;
  std::uint64_t use = 0;
  for (const Link& link : links_of(test.route)) {
    const auto found = used_links_.find(link);
    if (found != used_links_.end()) use += kMore * found->second;
  }
  const auto port = used_ports_.find(test.route.source_port);
  return port == used_ports_.end() ? use : use + port->second;
}

bool Batches::knows_path(std::size_t from, std::size_t to) const {
  const auto routes = routes_.find({from, to});
  return routes != routes_.end() &&
         std::ranges::any_of(routes->second, [](const Route& one) { return !one.hops.empty(); });
}

/// Of no test yet: who is first to choose is first.
std::vector<PlannedTest> Batches::in_turn(const std::vector<Pair>& pairs, Direction direction) {
  std::vector<PlannedTest> tests;
  tests.reserve(pairs.size());
  const std::size_t first = turn_++;
  for (std::size_t at = 0; at < pairs.size(); ++at) {
    const Pair& pair = pairs[(first + at) % pairs.size()];
    const bool forward = direction == Direction::forward;
    tests.push_back({forward ? pair.first : pair.second, forward ? pair.second : pair.first, {}});
  }
  std::stable_partition(tests.begin(), tests.end(),
                        [&](const PlannedTest& test) { return knows_path(test.from, test.to); });
  return tests;
}

std::vector<PlannedTest> Batches::next(const std::vector<Pair>& pairs, Direction direction) {
  std::vector<PlannedTest> batch;
  std::vector<Link> taken;
  const auto is_free = [&](const Route& route) {
    return std::ranges::none_of(links_of(route), [&](const Link& link) {
      return std::ranges::any_of(taken, [&](const Link& one) { return may_be_one(link, one); });
    });
  };
  for (PlannedTest& test : in_turn(pairs, direction)) {
    const auto routes = routes_.find({test.from, test.to});
    if (routes == routes_.end()) continue;
    std::optional<std::uint64_t> least;
    for (const Route& route : routes->second) {
      const std::uint64_t use = use_of({test.from, test.to, route});
      if ((least && use >= *least) || !is_free(route)) continue;
      least = use;
      test.route = route;
    }
    if (least) batch.push_back(test);
    if (!least) continue;
    for (const Link& link : links_of(test.route)) {
      taken.push_back(link);
      ++used_links_[link];
    }
    ++used_ports_[test.route.source_port];
  }
  return batch;
}

const Route* Batches::find(const Flow& flow) const {
  const auto routes = routes_.find({flow.from, flow.to});
  if (routes == routes_.end()) return nullptr;
  const auto route = std::ranges::find(routes->second, flow.source_port, &Route::source_port);
  return route == routes->second.end() ? nullptr : &*route;
}

PlannedTest Batches::test_of(const Flow& flow) const {
  if (const Route* const route = find(flow)) return {flow.from, flow.to, *route};
  throw std::out_of_range("no route of NIC " + std::to_string(flow.from) + " to NIC " +
                          std::to_string(flow.to) + " has source port " +
                          std::to_string(flow.source_port));
}

}  // namespace railgauge::isolation
