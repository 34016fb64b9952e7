#include "experiments/pairs/pair_paths.hpp"

#include <algorithm>
#include <set>

#include "isolation/planner.hpp"
#include "paths/source_port.hpp"

namespace railgauge::runner {
namespace {

using paths::Balance;
using results::PairPath;
using results::PairRow;
using results::PathLabel;
using Clock = std::chrono::steady_clock;

/// A NIC of which so many peers do not answer is on a fabric that filters answers.
constexpr int kMostSilent = 3;

std::vector<std::uint16_t> ports_of(const PairsOptions& options) {
  if (options.path_labels == AskSwitches::off) return {};
  return isolation::source_ports(
      0, {.ports = static_cast<int>(options.queue_pairs), .seed = options.seed});
}

TraceSettings trace_settings(const PairsOptions& options, std::vector<std::uint16_t> ports) {
  return {.traffic_class = options.traffic_class,
          .source_ports = std::move(ports),
          .probes_per_second = options.probes_per_second,
          .most_silent = kMostSilent};
}

std::vector<std::optional<std::string>> hops_of(const TracedPath& path, std::uint16_t port,
                                                Balance balance) {
  std::vector<std::optional<std::string>> hops;
  const auto found = std::ranges::find(path.ports, port, &PortSwitches::source_port);
  if (found == path.ports.end()) return hops;
  for (std::string& one : known_switches(path, *found, balance))
    hops.push_back(one.empty() ? std::nullopt : std::optional(std::move(one)));
  return hops;
}

PathLabel label_of(const TracedPath& path, Balance balance, const std::vector<PairPath>& paths) {
  if (!path.asked) return PathLabel::not_asked;
  if (path.switches == 0) return PathLabel::no_switch;
  const bool silent = std::ranges::all_of(paths, [](const auto& one) { return one.hops.empty(); });
  if (silent || !path.switches) return PathLabel::no_answer;
  if (path.switches > 1 && balance == Balance::by_queue_pair) return PathLabel::by_queue_pair;
  if (path.switches > 1 && balance == Balance::sprayed) return PathLabel::sprayed;
  return PathLabel::told;
}

/// Whether two of its queue pairs are known to pass the same switches.
bool shares_switches(const TracedPath& path) {
  std::set<std::vector<std::string>> seen;
  return std::ranges::any_of(path.ports, [&](const PortSwitches& port) {
    const bool known = port.switches.size() > 1 && std::ranges::count(port.switches, "") == 0;
    return known && !seen.insert(port.switches).second;
  });
}

}  // namespace

void describe_paths(PairRow& row, const TracedPath* path, Balance balance,
                    const std::vector<std::uint16_t>& source_ports) {
  const std::size_t queue_pairs = row.mode == "bandwidth" ? source_ports.size() : 1;
  row.paths.clear();
  for (std::size_t pair = 0; pair < std::min(queue_pairs, source_ports.size()); ++pair) {
    row.paths.push_back({.source_port = source_ports[pair]});
    if (path != nullptr) row.paths.back().hops = hops_of(*path, source_ports[pair], balance);
  }
  row.switches = path != nullptr ? path->switches : std::nullopt;
  row.path_label =
      path != nullptr ? label_of(*path, balance, row.paths) : results::PathLabel::not_asked;
}

PairPaths::PairPaths(transport::Exchange& exchange, const PairsOptions& options, const AllNics& all)
    : exchange_(exchange),
      source_ports_(ports_of(options)),
      tracer_(exchange, all, HostTracer(trace_settings(options, source_ports_))) {
  for (const std::uint16_t port : source_ports_)
    flow_labels_.push_back(paths::flow_label_of_port(port));
}

/// Both directions of its pairs that were not asked about yet.
std::vector<PathEnds> PairPaths::open_paths(const PairsStep& step) {
  std::vector<PathEnds> open;
  for (const pairs::Pair& pair : step.round) {
    for (const PathEnds& ends : {PathEnds(pair.first, pair.second), {pair.second, pair.first}}) {
      if (tracer_.find(ends) == nullptr) open.push_back(ends);
    }
  }
  return open;
}

void PairPaths::trace(const std::vector<PairsStep>& steps, std::chrono::duration<double> most) {
  if (source_ports_.empty()) return;
  const auto began = Clock::now();
  std::set<PathEnds> left_out;
  for (const PairsStep& step : steps) {
    const std::vector<PathEnds> open = open_paths(step);
    if (open.empty()) continue;
    const char own = Clock::now() - began > most ? 1 : 0;
    if (transport::all_gather(exchange_, std::vector<char>{own}).front().front() != 0) {
      left_out.insert(open.begin(), open.end());
      continue;
    }
    tracer_.trace(open);
  }
  left_out_ = left_out.size();
}

void PairPaths::label(PairRow& row, std::size_t from, std::size_t to) const {
  describe_paths(row, tracer_.find({from, to}), tracer_.balance(), source_ports_);
}

/// As far as they are known, of both directions.
pairs::Links PairPaths::links_of(const PairTest& test) const {
  pairs::Links links;
  if (!tells_path(tracer_.balance())) return links;
  for (const PathEnds& ends : {PathEnds(test.first, test.second), {test.second, test.first}}) {
    const TracedPath* const path = tracer_.find(ends);
    if (path == nullptr) continue;
    for (const PortSwitches& port : path->ports) {
      for (std::size_t at = 1; at < port.switches.size(); ++at) {
        if (port.switches[at - 1].empty() || port.switches[at].empty()) continue;
        links.emplace(port.switches[at - 1], port.switches[at]);
      }
    }
  }
  return links;
}

std::vector<std::vector<PairTest>> PairPaths::apart(const std::vector<PairTest>& tests) const {
  std::vector<pairs::Links> links;
  links.reserve(tests.size());
  for (const PairTest& test : tests) links.push_back(links_of(test));
  std::vector<std::vector<PairTest>> groups;
  for (const auto& group : pairs::groups_apart(links)) {
    groups.emplace_back();
    for (const std::size_t test : group) groups.back().push_back(tests[test]);
  }
  return groups;
}

bool PairPaths::all_below_one_switch() const {
  return !tracer_.told().empty() && std::ranges::all_of(tracer_.told(), [](const TracedPath& path) {
    return path.switches == 1;
  });
}

std::vector<std::string> PairPaths::notes() const {
  std::vector<std::string> notes = tracer_.notes();
  if (all_below_one_switch())
    notes.emplace_back("every path has one switch: there are no paths to tell apart");
  const auto shared =
      tells_path(tracer_.balance()) ? std::ranges::count_if(tracer_.told(), shares_switches) : 0;
  if (shared > 0) {
    notes.push_back("several queue pairs pass the same switches on " + std::to_string(shared) +
                    " of " + std::to_string(tracer_.told().size()) +
                    " paths and share their bandwidth; --seed chooses other source ports");
  }
  if (left_out_ > 0) {
    notes.push_back("the switches of " + std::to_string(left_out_) +
                    " paths were not traced: it would take longer than measuring is "
                    "worth; --path-labels on traces all");
  }
  return notes;
}

}  // namespace railgauge::runner
