#include "runner/pairs/pair_paths.hpp"

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

std::vector<PathEnd> ends_of(const AllNics& all) {
  std::vector<PathEnd> ends;
  ends.reserve(all.nics.size());
  for (std::size_t nic = 0; nic < all.nics.size(); ++nic)
    ends.push_back({all.nics[nic].address, all.rank_of[nic]});
  return ends;
}

std::vector<std::uint16_t> ports_of(const PairsOptions& options) {
  if (options.path_labels == AskSwitches::off) return {};
  isolation::Plan plan;
  plan.ports = options.queue_pairs;
  plan.seed = options.seed;
  return isolation::source_ports(0, plan);
}

TraceSettings trace_settings(const PairsOptions& options, std::vector<std::uint16_t> ports) {
  return {.traffic_class = static_cast<std::uint8_t>(options.traffic_class),
          .source_ports = std::move(ports),
          .probes_per_second = options.probes_per_second,
          .most_silent = kMostSilent};
}

/// A peer that did not answer is behind one switch more, at least.
std::vector<std::optional<std::string>> hops_of(const TracedWay& way, std::uint16_t port,
                                                Balance balance) {
  std::vector<std::optional<std::string>> hops;
  const auto found = std::ranges::find(way.ports, port, &PortSwitches::source_port);
  if (found == way.ports.end()) return hops;
  std::vector<std::string> switches = found->switches;
  if (std::ranges::all_of(switches, &std::string::empty)) return hops;
  if (!way.switches) switches.emplace_back();
  if (!tells_way(balance)) forget_inner(switches);
  for (std::string& one : switches)
    hops.push_back(one.empty() ? std::nullopt : std::optional(std::move(one)));
  return hops;
}

PathLabel label_of(const TracedWay& way, Balance balance, const std::vector<PairPath>& paths) {
  if (!way.asked) return PathLabel::not_asked;
  if (way.switches == 0) return PathLabel::no_switch;
  const bool silent = std::ranges::all_of(paths, [](const auto& one) { return one.hops.empty(); });
  if (silent || !way.switches) return PathLabel::no_answer;
  if (way.switches > 1 && balance == Balance::by_queue_pair) return PathLabel::by_queue_pair;
  if (way.switches > 1 && balance == Balance::sprayed) return PathLabel::sprayed;
  return PathLabel::told;
}

}  // namespace

void label_path(PairRow& row, const TracedWay* way, Balance balance,
                const std::vector<std::uint16_t>& source_ports) {
  const std::size_t queue_pairs = row.mode == "bandwidth" ? source_ports.size() : 1;
  row.paths.clear();
  for (std::size_t pair = 0; pair < std::min(queue_pairs, source_ports.size()); ++pair) {
    row.paths.push_back({.source_port = source_ports[pair]});
    if (way != nullptr) row.paths.back().hops = hops_of(*way, source_ports[pair], balance);
  }
  row.switches = way != nullptr ? way->switches : std::nullopt;
  row.path_label =
      way != nullptr ? label_of(*way, balance, row.paths) : results::PathLabel::not_asked;
}

PairPaths::PairPaths(transport::Exchange& exchange, const PairsOptions& options, const AllNics& all)
    : exchange_(exchange),
      ends_(ends_of(all)),
      source_ports_(ports_of(options)),
      tracer_(exchange, ends_, HostTracer(trace_settings(options, source_ports_))) {
  for (const std::uint16_t port : source_ports_)
    flow_labels_.push_back(paths::flow_label_of_port(port));
}

/// Both ways of its pairs that were not asked about yet.
std::vector<PathEnds> PairPaths::open_ways(const PairsStep& step) {
  std::vector<PathEnds> ways;
  for (const pairs::Pair& pair : step.round) {
    for (const PathEnds& ends : {PathEnds(pair.first, pair.second), {pair.second, pair.first}}) {
      if (!places_.contains(ends)) ways.push_back(ends);
    }
  }
  return ways;
}

void PairPaths::trace(const std::vector<PairsStep>& steps, std::chrono::duration<double> most) {
  if (source_ports_.empty()) return;
  const auto began = Clock::now();
  std::set<PathEnds> left_out;
  for (const PairsStep& step : steps) {
    const std::vector<PathEnds> ways = open_ways(step);
    if (ways.empty()) continue;
    const char own = Clock::now() - began > most ? 1 : 0;
    if (transport::all_gather(exchange_, std::vector<char>{own}).front().front() != 0) {
      left_out.insert(ways.begin(), ways.end());
      continue;
    }
    const std::size_t before = tracer_.told().size();
    tracer_.trace(ways);
    for (std::size_t at = before; at < tracer_.told().size(); ++at)
      places_[tracer_.told()[at].ends] = at;
  }
  left_out_ = left_out.size();
}

void PairPaths::label(PairRow& row, std::size_t from, std::size_t to) const {
  const auto found = places_.find({from, to});
  const TracedWay* const way = found == places_.end() ? nullptr : &tracer_.told()[found->second];
  label_path(row, way, tracer_.balance(), source_ports_);
}

bool PairPaths::all_below_one_switch() const {
  return !tracer_.told().empty() && std::ranges::all_of(tracer_.told(), [](const TracedWay& way) {
    return way.switches == 1;
  });
}

std::vector<std::string> PairPaths::notes() const {
  std::vector<std::string> notes = tracer_.notes();
  if (all_below_one_switch())
    notes.emplace_back("one switch is on every way: there are no paths to tell apart");
  if (left_out_ > 0) {
    notes.push_back("the paths of " + std::to_string(left_out_) +
                    " ways were not asked for, as that would have taken longer than measuring is "
                    "worth: --path-labels on asks for all");
  }
  return notes;
}

}  // namespace railgauge::runner
