#include "runner/isolation/path_labels.hpp"

#include <algorithm>

#include "isolation/planner.hpp"

namespace railgauge::runner {
namespace {

using isolation::kUnknownSwitch;

std::vector<PathEnd> ends_of(const std::vector<TestedNic>& nics) {
  std::vector<PathEnd> ends;
  ends.reserve(nics.size());
  for (const TestedNic& nic : nics) ends.push_back({nic.end.address, nic.rank});
  return ends;
}

TraceSettings trace_settings(const LabelSettings& settings) {
  isolation::Plan plan;
  plan.ports = settings.source_ports;
  plan.seed = settings.seed;
  return {.traffic_class = settings.traffic_class,
          .source_ports = isolation::source_ports(0, plan),
          .probes_per_second = settings.probes_per_second};
}

void forget_inner_hops(isolation::Evidence& evidence) {
  for (isolation::Observation& test : evidence.tests) {
    for (std::size_t at = 1; at + 1 < test.hops.size(); ++at) test.hops[at] = kUnknownSwitch;
  }
}

}  // namespace

PathLabels::PathLabels(job::Communicator& communicator, const std::vector<TestedNic>& nics,
                       const LabelSettings& settings)
    : ends_(ends_of(nics)), tracer_(communicator, ends_, HostTracer(trace_settings(settings))) {}

void PathLabels::trace(const std::vector<isolation::Pair>& pairs, isolation::Evidence& evidence,
                       isolation::Batches& batches) {
  std::vector<PathEnds> ways;
  for (const isolation::Pair& pair : pairs) {
    for (const auto& [from, to] : {PathEnds(pair.first, pair.second), {pair.second, pair.first}}) {
      if (!batches.has_routes(from, to)) ways.emplace_back(from, to);
    }
  }
  const std::size_t before = tracer_.told().size();
  const bool told_ways = tells_way(tracer_.balance());
  tracer_.trace(ways);
  // What was told before is now read otherwise.
  const bool anew = told_ways && !tells_way(tracer_.balance());
  if (anew) forget_inner_hops(evidence);
  for (std::size_t at = anew ? 0 : before; at < tracer_.told().size(); ++at)
    take(tracer_.told()[at], evidence, batches);
}

/// A peer that did not answer is behind one switch more, at least.
isolation::Route PathLabels::route_of(const TracedWay& way, const PortSwitches& port,
                                      isolation::Evidence& evidence) {
  isolation::Route route;
  route.source_port = port.source_port;
  route.sprayed = tracer_.balance() == paths::Balance::sprayed;
  std::vector<std::string> switches = port.switches;
  if (!way.switches && !switches.empty()) switches.emplace_back();
  if (!tells_way(tracer_.balance())) forget_inner(switches);
  for (const std::string& hop : switches) route.hops.push_back(number_of(hop, evidence));
  if (std::ranges::all_of(route.hops, [](int hop) { return hop == kUnknownSwitch; }))
    route.hops.clear();
  return route;
}

void PathLabels::take(const TracedWay& way, isolation::Evidence& evidence,
                      isolation::Batches& batches) {
  std::vector<isolation::Route> routes;
  routes.reserve(way.ports.size());
  for (const PortSwitches& port : way.ports) routes.push_back(route_of(way, port, evidence));
  batches.set_routes(way.ends.first, way.ends.second, std::move(routes));
}

int PathLabels::number_of(const std::string& address, isolation::Evidence& evidence) {
  if (address.empty()) return kUnknownSwitch;
  const auto [found, is_new] =
      switches_.try_emplace(address, static_cast<int>(evidence.switches.size()));
  if (is_new) evidence.switches.push_back(address);
  return found->second;
}

}  // namespace railgauge::runner
