#include "experiments/pairs/path_tracer.hpp"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "paths/source_port.hpp"

namespace railgauge::runner {
namespace {

using paths::Balance;

/// So many source ports tell whether a way that changes was chance (lib/paths/trace).
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

/// Why the ways of a pair are not told; empty if they are.
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

nlohmann::json packed(const TracedWay& way) {
  nlohmann::json ports = nlohmann::json::array();
  for (const PortSwitches& port : way.ports) ports.push_back({port.source_port, port.switches});
  return {way.ends.first,
          way.ends.second,
          way.asked,
          way.switches ? nlohmann::json(*way.switches) : nlohmann::json(),
          static_cast<int>(way.balance),
          std::move(ports),
          way.note};
}

TracedWay unpacked(const nlohmann::json& told) {
  TracedWay way{.ends = {told.at(0), told.at(1)}, .asked = told.at(2)};
  if (!told.at(3).is_null()) way.switches = told.at(3).get<int>();
  way.balance = static_cast<Balance>(told.at(4).get<int>());
  for (const auto& port : told.at(5)) way.ports.push_back({port.at(0), port.at(1)});
  told.at(6).get_to(way.note);
  return way;
}

}  // namespace

std::vector<PathEnd> ends_of(const AllNics& all) {
  std::vector<PathEnd> ends;
  ends.reserve(all.nics.size());
  for (std::size_t nic = 0; nic < all.nics.size(); ++nic)
    ends.push_back({all.nics[nic].address, all.rank_of[nic]});
  return ends;
}

std::vector<std::string> known_switches(const TracedWay& path, const PortSwitches& port,
                                        Balance balance) {
  std::vector<std::string> switches = port.switches;
  if (!path.switches) switches.emplace_back();
  for (std::size_t at = 1; at + 1 < switches.size() && !tells_way(balance); ++at)
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
void HostTracer::fill(TracedWay& way, const paths::Trace& trace) const {
  // Behind the last switch that answers there may be another one, or none.
  const bool unheard = paths::last_is_unheard(trace);
  if (!unheard) way.switches = trace.switches;
  way.balance = trace.balance;
  way.note = why_unknown(trace);
  for (const paths::PortPath& path : trace.paths) {
    if (std::ranges::find(settings_.source_ports, path.source_port) ==
        settings_.source_ports.end()) {
      continue;
    }
    PortSwitches& port = way.ports.emplace_back();
    port.source_port = path.source_port;
    for (const auto& hop : path.switches) port.switches.push_back(text_of(hop));
    if (unheard) port.switches.resize(static_cast<std::size_t>(trace.heard));
  }
}

TracedWay HostTracer::traced(const PathEnds& ends, const std::string& from, const std::string& to) {
  TracedWay way{.ends = ends};
  try {
    if (is_ipv6(from) || is_ipv6(to)) throw std::invalid_argument(kIpv4Only);
    if (!gave_up(ends.first)) {
      const paths::Trace trace = ask(from, to);
      controlled_ = controlled_ || trace.switches.value_or(0) > 1;
      silent_[ends.first] = trace.switches ? 0 : silent_[ends.first] + 1;
      fill(way, trace);
    }
  } catch (const std::exception& error) {
    way.asked = false;
    way.note = std::string("paths are not known: ") + error.what();
  }
  if (!way.ports.empty()) return way;
  for (const std::uint16_t port : settings_.source_ports) way.ports.push_back({port, {}});
  return way;
}

PathTracer::PathTracer(transport::Exchange& exchange, const std::vector<PathEnd>& ends,
                       HostTracer own)
    : exchange_(exchange), ends_(ends), own_(std::move(own)) {}

void PathTracer::trace(const std::vector<PathEnds>& ways) {
  if (ways.empty()) return;
  std::vector<TracedWay> own;
  for (const PathEnds& ends : ways) {
    const PathEnd& from = ends_[ends.first];
    if (from.rank != exchange_.rank()) continue;
    own.push_back(own_.traced(ends, from.address, ends_[ends.second].address));
  }
  for (TracedWay& way : shared(own)) {
    take_balance(way.balance);
    note(way);
    told_.push_back(std::move(way));
  }
}

std::vector<TracedWay> PathTracer::shared(const std::vector<TracedWay>& own) {
  nlohmann::json list = nlohmann::json::array();
  for (const TracedWay& way : own) list.push_back(packed(way));
  const std::vector<std::uint8_t> packed_list = nlohmann::json::to_cbor(list);
  std::vector<TracedWay> all;
  for (const auto& bytes : exchange_.all_gather(std::as_bytes(std::span(packed_list)))) {
    const auto* const begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
    for (const auto& told : nlohmann::json::from_cbor(begin, begin + bytes.size()))
      all.push_back(unpacked(told));
  }
  return all;
}

void PathTracer::take_balance(Balance balance) {
  if (!tells_way(balance_) || tells_way(balance)) return;
  balance_ = balance;
  notes_of_all_.emplace_back(
      balance == Balance::sprayed
          ? "switches spray packets: of a path only its first and its last switch are known"
          : "switches choose by the queue pair, too: of a path only its first and its last switch "
            "are known");
}

void PathTracer::note(const TracedWay& way) {
  if (way.note.empty()) return;
  auto found = std::ranges::find(notes_of_ways_, way.note, &Noted::text);
  if (found == notes_of_ways_.end()) found = notes_of_ways_.insert(found, {way.note, 0, way.ends});
  ++found->ways;
}

std::vector<std::string> PathTracer::notes() const {
  std::vector<std::string> all = notes_of_all_;
  for (const Noted& note : notes_of_ways_) {
    all.push_back(note.text);
    if (note.ways == told_.size()) continue;
    all.back() += " (of " + std::to_string(note.ways) + " of " + std::to_string(told_.size()) +
                  " paths, such as " + ends_[note.first.first].address + " to " +
                  ends_[note.first.second].address + ")";
  }
  return all;
}

}  // namespace railgauge::runner
