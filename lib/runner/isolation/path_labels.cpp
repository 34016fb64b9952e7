#include "runner/isolation/path_labels.hpp"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>

#include "isolation/planner.hpp"
#include "paths/udp_prober.hpp"

namespace railgauge::runner {
namespace {

using isolation::Evidence;
using isolation::kUnknownSwitch;
using paths::Balance;

std::string text_of(const std::optional<topology::IpAddress>& hop) {
  return hop ? topology::to_string(*hop) : "";
}

/// Where switches choose by more than the source port.
void forget_inner(std::vector<int>& hops) {
  for (std::size_t at = 1; at + 1 < hops.size(); ++at) hops[at] = kUnknownSwitch;
}

/// Why the ways of a pair are not told; empty if they are.
std::string why_unknown(const paths::Trace& trace) {
  if (trace.switches == 0)
    return "no switch is on the way that routes: where there are only bridges no path can be told";
  if (trace.balance == Balance::unknown)
    return "no switch answers probes (ICMP \"time exceeded\"): of links nothing can be told";
  if (!trace.switches)
    return "a peer does not answer probes (ICMP \"port unreachable\"): the last switches before it "
           "are not told";
  return "";
}

}  // namespace

PathLabels::PathLabels(job::Communicator& communicator, const std::vector<TestedNic>& nics,
                       const LabelSettings& settings)
    : communicator_(communicator), nics_(nics), settings_(settings) {
  isolation::Plan plan;
  plan.ports = settings.source_ports;
  plan.seed = settings.seed;
  ports_ = isolation::source_ports(0, plan);
}

paths::Trace PathLabels::ask(const TestedNic& from, const TestedNic& to) {
  paths::ProberSettings asked;
  asked.from = topology::parse_ip_address(from.end.address).value_or(asked.from);
  asked.to = topology::parse_ip_address(to.end.address).value_or(asked.to);
  asked.traffic_class = settings_.traffic_class;
  asked.probes_per_second = settings_.probes_per_second;
  paths::UdpProber prober(asked);
  const paths::TraceRequest request{.source_ports = ports_, .with_controls = !controlled_};
  paths::Trace trace = paths::trace(prober, request);
  // Where others were told, answers may have been late.
  if (controlled_ && !trace.switches) trace = paths::trace(prober, request);
  return trace;
}

/// Without an answer every source port has a way that is not known.
PathLabels::Told PathLabels::traced(std::size_t from, std::size_t to) {
  Told told{from, to, {}, {}, {}};
  try {
    const paths::Trace trace = ask(nics_[from], nics_[to]);
    told.balance = trace.balance;
    controlled_ = controlled_ || trace.switches.value_or(0) > 1;
    for (const paths::PortPath& path : trace.paths) {
      auto& way = told.ways.emplace_back(path.source_port, std::vector<std::string>());
      for (const auto& hop : path.switches) way.second.push_back(text_of(hop));
      if (!trace.switches && !way.second.empty()) way.second.emplace_back();
    }
    told.note = why_unknown(trace);
  } catch (const std::exception& error) {
    told.note = std::string("paths are not known: ") + error.what();
  }
  if (!told.ways.empty()) return told;
  for (const std::uint16_t port : ports_) told.ways.emplace_back(port, std::vector<std::string>());
  return told;
}

std::vector<PathLabels::Told> PathLabels::shared(const std::vector<Told>& own) {
  nlohmann::json list = nlohmann::json::array();
  for (const Told& one : own)
    list.push_back({one.from, one.to, static_cast<int>(one.balance), one.ways, one.note});
  std::vector<Told> all;
  for (const std::string& text : communicator_.all_gather_text(list.dump())) {
    for (const auto& one : nlohmann::json::parse(text)) {
      Told& told = all.emplace_back();
      one.at(0).get_to(told.from);
      one.at(1).get_to(told.to);
      told.balance = static_cast<Balance>(one.at(2).get<int>());
      one.at(3).get_to(told.ways);
      one.at(4).get_to(told.note);
    }
  }
  return all;
}

void PathLabels::trace(const std::vector<isolation::Pair>& pairs, Evidence& evidence,
                       isolation::Batches& batches) {
  std::vector<Told> own;
  bool any = false;
  for (const isolation::Pair& pair : pairs) {
    for (const auto& [from, to] : {std::pair(pair.first, pair.second), {pair.second, pair.first}}) {
      if (batches.has_routes(from, to)) continue;
      any = true;
      if (nics_[from].rank == communicator_.rank()) own.push_back(traced(from, to));
    }
  }
  if (!any) return;
  std::vector<Told> told = shared(own);
  const Balance before = balance_;
  for (const Told& one : told) take_balance(one.balance, evidence);
  all_.insert(all_.end(), told.begin(), told.end());
  // What was told before is now read otherwise.
  for (const Told& one : balance_ == before ? told : all_) take(one, evidence, batches);
}

bool PathLabels::tells_way() const {
  return balance_ != Balance::sprayed && balance_ != Balance::by_queue_pair;
}

void PathLabels::take_balance(Balance balance, Evidence& evidence) {
  if (!tells_way() || (balance != Balance::sprayed && balance != Balance::by_queue_pair)) return;
  balance_ = balance;
  note(balance == Balance::sprayed
           ? "switches spray packets: of a path only its first and its last switch are known"
           : "switches choose by the queue pair, too: of a path only its first and its last switch "
             "are known");
  for (isolation::Observation& test : evidence.tests) forget_inner(test.hops);
}

void PathLabels::take(const Told& told, Evidence& evidence, isolation::Batches& batches) {
  std::vector<isolation::Route> routes;
  routes.reserve(told.ways.size());
  for (const auto& [port, way] : told.ways) {
    isolation::Route& route = routes.emplace_back();
    route.source_port = port;
    route.hops.reserve(way.size());
    for (const std::string& hop : way) route.hops.push_back(number_of(hop, evidence));
    if (std::ranges::all_of(route.hops, [](int hop) { return hop == kUnknownSwitch; }))
      route.hops.clear();
    if (!tells_way()) forget_inner(route.hops);
    route.sprayed = sprayed();
  }
  batches.set_routes(told.from, told.to, std::move(routes));
  if (!told.note.empty()) note(told.note);
}

int PathLabels::number_of(const std::string& address, Evidence& evidence) {
  if (address.empty()) return kUnknownSwitch;
  const auto [found, is_new] =
      switches_.try_emplace(address, static_cast<int>(evidence.switches.size()));
  if (is_new) evidence.switches.push_back(address);
  return found->second;
}

void PathLabels::note(const std::string& text) {
  if (std::ranges::find(notes_, text) == notes_.end()) notes_.push_back(text);
}

}  // namespace railgauge::runner
