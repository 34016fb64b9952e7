#include "experiments/pairs/path_tracer.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>

#include "job/exchanged_values.hpp"
#include "paths/source_port.hpp"

namespace railgauge::runner {
namespace {

using paths::Balance;

/// So many source ports tell whether a path that changes was chance (lib/paths/trace).
constexpr std::size_t kControlPorts = 8;

/// Without addresses, so that it is said once.
constexpr const char* kIpv4Only =
    "switches are asked over IPv4 only: if ports have IPv4 addresses, too, --gid-index -1 uses "
    "those";

bool is_ipv6(const std::string& address) {
  const auto parsed = topology::parse_ip_address(address);
  return parsed && !topology::is_ipv4(*parsed);
}

std::string text_of(const std::optional<topology::IpAddress>& hop) {
  return hop ? topology::to_string(*hop) : "";
}

/// Why the paths of a pair are not told; empty if they are.
std::string why_unknown(const paths::Trace& trace) {
  if (trace.paths.empty() && !trace.busy_ports.empty())
    return "the source ports to trace are in use by other sockets of this host";
  if (trace.switches == 0)
    return "no router is on the path: the path over bridges cannot be traced";
  if (trace.balance == Balance::unknown)
    return "no switch replies to probes (ICMP \"time exceeded\"): links are unknown";
  if (!trace.switches)
    return "a peer does not reply to probes (ICMP \"port unreachable\"): the last switches before "
           "it are unknown";
  if (paths::last_is_unheard(trace))
    return "no reply from the last hop before a peer, or from the peer: the last switches before "
           "it are unknown";
  return "";
}

/// These, and others until there are enough for controls.
std::vector<std::uint16_t> with_control_ports(std::vector<std::uint16_t> ports) {
  for (std::uint16_t port = paths::kFirstSourcePort; ports.size() < kControlPorts; ++port) {
    if (std::ranges::find(ports, port) == ports.end()) ports.push_back(port);
  }
  return ports;
}

}  // namespace

std::vector<std::string> known_switches(const TracedPath& path, const PortSwitches& port,
                                        Balance balance) {
  std::vector<std::string> switches = port.switches;
  if (!path.switches) switches.emplace_back();
  for (std::size_t at = 1; at + 1 < switches.size() && !tells_path(balance); ++at)
    switches[at].clear();
  if (std::ranges::all_of(switches, &std::string::empty)) switches.clear();
  return switches;
}

HostTracer::HostTracer(TraceSettings settings)
    : HostTracer(std::move(settings), [](const paths::ProberSettings& asked) {
        return std::make_unique<paths::UdpProber>(asked);
      }) {}

HostTracer::HostTracer(TraceSettings settings, MakeProber make_prober)
    : settings_(std::move(settings)), make_prober_(std::move(make_prober)) {}

paths::Trace HostTracer::ask(const std::string& from, const std::string& to) {
  paths::ProberSettings asked;
  asked.from = topology::parse_ip_address(from).value_or(asked.from);
  asked.to = topology::parse_ip_address(to).value_or(asked.to);
  asked.traffic_class = settings_.traffic_class;
  asked.probes_per_second = settings_.probes_per_second;
  const auto prober = make_prober_(asked);
  const bool with_controls = !controlled_;
  const paths::TraceRequest request{.source_ports = with_controls
                                                        ? with_control_ports(settings_.source_ports)
                                                        : settings_.source_ports,
                                    .with_controls = with_controls};
  paths::Trace trace = paths::trace(*prober, request);
  // Where others were told, answers may have been late.
  if (controlled_ && !trace.switches) trace = paths::trace(*prober, request);
  return trace;
}

bool HostTracer::gave_up(std::size_t nic) const {
  const auto found = silent_.find(nic);
  return settings_.most_silent > 0 && found != silent_.end() &&
         found->second >= settings_.most_silent;
}

/// Without the ports that were only for controls.
void HostTracer::fill(TracedPath& traced, const paths::Trace& trace) const {
  // Behind the last switch that answers there may be another one, or none.
  const bool unheard = paths::last_is_unheard(trace);
  if (!unheard) traced.switches = trace.switches;
  traced.balance = trace.balance;
  traced.note = why_unknown(trace);
  for (const paths::PortPath& path : trace.paths) {
    if (std::ranges::find(settings_.source_ports, path.source_port) ==
        settings_.source_ports.end()) {
      continue;
    }
    PortSwitches& port = traced.ports.emplace_back();
    port.source_port = path.source_port;
    for (const auto& hop : path.switches) port.switches.push_back(text_of(hop));
    if (unheard) port.switches.resize(static_cast<std::size_t>(trace.heard));
  }
}

TracedPath HostTracer::traced(const PathEnds& ends, const std::string& from,
                              const std::string& to) {
  TracedPath path{.ends = ends};
  try {
    if (is_ipv6(from) || is_ipv6(to)) throw std::invalid_argument(kIpv4Only);
    if (!gave_up(ends.first)) {
      const paths::Trace trace = ask(from, to);
      controlled_ = controlled_ || trace.switches.value_or(0) > 1;
      silent_[ends.first] = trace.switches ? 0 : silent_[ends.first] + 1;
      fill(path, trace);
    }
  } catch (const std::exception& error) {
    path.asked = false;
    path.note = std::string("paths are not known: ") + error.what();
  }
  if (!path.ports.empty()) return path;
  for (const std::uint16_t port : settings_.source_ports) path.ports.push_back({port, {}});
  return path;
}

PathTracer::PathTracer(transport::Exchange& exchange, const AllNics& all, HostTracer own)
    : exchange_(exchange), all_(all), own_(std::move(own)) {}

void PathTracer::trace(const std::vector<PathEnds>& paths) {
  if (paths.empty()) return;
  std::vector<TracedPath> own;
  for (const PathEnds& ends : paths) {
    if (all_.rank_of[ends.first] != exchange_.rank()) continue;
    own.push_back(own_.traced(ends, all_.nics[ends.first].address, all_.nics[ends.second].address));
  }
  for (TracedPath& path : job::all_gather_list(exchange_, own)) {
    take_balance(path.balance);
    note(path);
    places_[path.ends] = told_.size();
    told_.push_back(std::move(path));
  }
}

const TracedPath* PathTracer::find(const PathEnds& ends) const {
  const auto found = places_.find(ends);
  return found == places_.end() ? nullptr : &told_[found->second];
}

void PathTracer::take_balance(Balance balance) {
  if (!tells_path(balance_) || tells_path(balance)) return;
  balance_ = balance;
  notes_of_all_.emplace_back(
      balance == Balance::sprayed
          ? "switches spray packets: of a path only its first and its last switch are known"
          : "switches choose by the queue pair, too: of a path only its first and its last switch "
            "are known");
}

void PathTracer::note(const TracedPath& path) {
  if (path.note.empty()) return;
  auto found = std::ranges::find(notes_of_paths_, path.note, &Noted::text);
  if (found == notes_of_paths_.end())
    found = notes_of_paths_.insert(found, {path.note, 0, path.ends});
  ++found->paths;
}

std::vector<std::string> PathTracer::notes() const {
  std::vector<std::string> all = notes_of_all_;
  for (const Noted& note : notes_of_paths_) {
    all.push_back(note.text);
    if (note.paths == told_.size()) continue;
    all.back() += " (of " + std::to_string(note.paths) + " of " + std::to_string(told_.size()) +
                  " paths, such as " + all_.nics[note.first.first].address + " to " +
                  all_.nics[note.first.second].address + ")";
  }
  return all;
}

}  // namespace railgauge::runner
