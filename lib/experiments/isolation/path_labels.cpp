#include "experiments/isolation/path_labels.hpp"

#include <algorithm>

namespace railgauge::runner {
namespace {

using isolation::kUnknownSwitch;

void forget_inner_hops(isolation::Evidence& evidence) {
  for (isolation::Observation& test : evidence.tests) {
    for (auto* const hops : {&test.hops, &test.hops_back}) {
      for (std::size_t at = 1; at + 1 < hops->size(); ++at) (*hops)[at] = kUnknownSwitch;
    }
    test.heard = test.heard_back = 0;
  }
}

/// So many places until no switch answers any more; 0: the last one does.
std::size_t answered(const PortSwitches& port) {
  const auto& all = port.switches;
  const auto last = std::ranges::find_if(all.rbegin(), all.rend(),
                                         [](const std::string& one) { return !one.empty(); });
  return last == all.rbegin() ? 0 : static_cast<std::size_t>(all.rend() - last);
}

/// The last switch before a peer is the same for all source ports: those whose probes end on their
/// path, as behind a switch that drops packets, have it too.
void add_last_switch(std::vector<isolation::Route>& routes) {
  const auto is_whole = [](const isolation::Route& one) {
    return !one.hops.empty() && one.hops.back() != kUnknownSwitch;
  };
  const auto whole = std::ranges::find_if(routes, is_whole);
  if (whole == routes.end()) return;
  const isolation::Route like = *whole;
  const auto other = [&](const isolation::Route& one) {
    return is_whole(one) && one.hops.back() != like.hops.back();
  };
  if (std::ranges::any_of(routes, other)) return;
  for (isolation::Route& one : routes) {
    if (one.hops.size() == like.hops.size()) one.hops.back() = like.hops.back();
  }
}

}  // namespace

void PathLabels::trace(const std::vector<isolation::Pair>& pairs, isolation::Evidence& evidence,
                       isolation::Batches& batches) {
  std::vector<PathEnds> paths;
  for (const isolation::Pair& pair : pairs) {
    for (const auto& [from, to] : {PathEnds(pair.first, pair.second), {pair.second, pair.first}}) {
      if (!batches.has_routes(from, to)) paths.emplace_back(from, to);
    }
  }
  const std::size_t before = tracer_.told().size();
  const bool told_paths = tells_path(tracer_.balance());
  tracer_.trace(paths);
  // What was traced before is now read otherwise.
  const bool changed = told_paths && !tells_path(tracer_.balance());
  if (changed) forget_inner_hops(evidence);
  for (std::size_t at = changed ? 0 : before; at < tracer_.told().size(); ++at)
    take(tracer_.told()[at], evidence, batches);
}

isolation::Route PathLabels::route_of(const TracedPath& path, const PortSwitches& port,
                                      isolation::Evidence& evidence) {
  isolation::Route route;
  route.source_port = port.source_port;
  route.sprayed = tracer_.balance() == paths::Balance::sprayed;
  if (tells_path(tracer_.balance())) route.heard = answered(port);
  for (const std::string& hop : known_switches(path, port, tracer_.balance()))
    route.hops.push_back(number_of(hop, evidence));
  return route;
}

void PathLabels::take(const TracedPath& path, isolation::Evidence& evidence,
                      isolation::Batches& batches) {
  std::vector<isolation::Route> routes;
  routes.reserve(path.ports.size());
  for (const PortSwitches& port : path.ports) routes.push_back(route_of(path, port, evidence));
  add_last_switch(routes);
  batches.set_routes(path.ends.first, path.ends.second, std::move(routes));
}

int PathLabels::number_of(const std::string& address, isolation::Evidence& evidence) {
  if (address.empty()) return kUnknownSwitch;
  const auto [found, is_new] =
      switches_.try_emplace(address, static_cast<int>(evidence.switches.size()));
  if (is_new) evidence.switches.push_back(address);
  return found->second;
}

}  // namespace railgauge::runner
