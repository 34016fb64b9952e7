#include "experiments/congestion/flow_paths.hpp"

#include <algorithm>
#include <utility>

#include "isolation/planner.hpp"

namespace railgauge::runner {
namespace {

using congestion::Path;
using congestion::PlannedFlow;
using congestion::PlannedStep;

/// Enough to find each of four paths with 9 chances in 10.
constexpr int kLeastPorts = 8;
constexpr int kMostSilent = 3;

}  // namespace

FlowPaths::FlowPaths(transport::Exchange& exchange, const AllNics& all, const Settings& settings)
    : ports_(
          isolation::source_ports(0, {.ports = std::max(kLeastPorts, settings.most_queue_pairs)})),
      tracer_(exchange, all,
              HostTracer({.traffic_class = settings.traffic_class,
                          .source_ports = ports_,
                          .probes_per_second = settings.probes_per_second,
                          .most_silent = kMostSilent})) {}

void FlowPaths::trace(const std::vector<PlannedStep>& steps) {
  std::set<PathEnds> open;
  for (const PlannedStep& step : steps) {
    for (const PlannedFlow& flow : step.flows)
      open.insert({PathEnds(flow.from, flow.to), PathEnds(flow.to, flow.from)});
  }
  tracer_.trace({open.begin(), open.end()});
}

bool FlowPaths::known() const {
  if (!tells_path(tracer_.balance())) return false;
  return std::ranges::any_of(tracer_.told(), [](const TracedPath& path) {
    return path.note.empty() && path.switches.value_or(0) > 1;
  });
}

Path FlowPaths::path_of(const PlannedFlow& flow, std::uint16_t port) const {
  const TracedPath* const path = tracer_.find({flow.from, flow.to});
  if (path == nullptr) return {};
  const auto told = std::ranges::find(path->ports, port, &PortSwitches::source_port);
  if (told == path->ports.end()) return {};
  return known_switches(*path, *told, tracer_.balance());
}

std::vector<Path> FlowPaths::candidates_of(const PlannedFlow& flow) const {
  std::vector<Path> paths;
  for (const std::uint16_t port : ports_) paths.push_back(path_of(flow, port));
  return paths;
}

std::vector<std::vector<std::uint16_t>> FlowPaths::ports_of(const PlannedStep& step) const {
  const auto pairs = static_cast<std::ptrdiff_t>(step.queue_pairs);
  std::vector<std::vector<std::uint16_t>> ports(step.flows.size(),
                                                {ports_.begin(), ports_.begin() + pairs});
  if (!step.spread || !known()) return ports;
  std::vector<std::vector<Path>> candidates;
  for (const PlannedFlow& flow : step.flows) candidates.push_back(candidates_of(flow));
  const auto chosen = congestion::spread_over(candidates, step.queue_pairs);
  for (std::size_t flow = 0; flow < ports.size(); ++flow) {
    for (std::size_t pair = 0; pair < ports[flow].size(); ++pair)
      ports[flow][pair] = ports_[chosen[flow][pair]];
  }
  return ports;
}

std::set<congestion::Link> FlowPaths::links_of(const std::vector<PlannedFlow>& flows) const {
  std::set<congestion::Link> links;
  for (const PlannedFlow& flow : flows) {
    for (const Path& path : candidates_of(flow)) {
      if (!congestion::is_known(path)) continue;
      for (congestion::Link& link : congestion::links_of(path)) links.insert(std::move(link));
    }
  }
  return links;
}

}  // namespace railgauge::runner
