// How paths between ports did, port by port: what a test of pairs found, judged with what is known
// of the ports' hosts.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "doctor/judging.hpp"
#include "finding/words.hpp"
#include "topology/rail_groups.hpp"

namespace railgauge::doctor {
namespace {

using finding::Cause;
using finding::Direction;

constexpr unsigned kEcnBits = 2;  // of a traffic class; the rest is the DSCP

constexpr std::array kBadly{Did::lost_large_packets, Did::nothing,     Did::slowly,
                            Did::lost_packets,       Did::other_class, Did::other_priority};
constexpr std::array kDirections{Direction::transmit, Direction::receive};

ProbedPort probed(const Subject& subject) {
  return {subject.facts->map.host, subject.device->name, subject.port->number};
}

/// Whether it is known how the path did in that respect.
bool tells(const PairProbe& probe, Did did) {
  if (did == Did::lost_packets) return probe.lost.has_value();
  if (did == Did::other_class) return probe.arrived_class.has_value();
  if (did == Did::other_priority) return probe.arrived_priority && probe.expected_priority;
  return true;
}

bool changes_class(const PairProbes& pairs, const PairProbe& probe) {
  return probe.arrived_class && *probe.arrived_class >> kEcnBits != pairs.sent_class >> kEcnBits;
}

bool is_so(const PairProbes& pairs, const PairProbe& probe, Did did) {
  if (did == Did::lost_packets) return probe.lost.value_or(0) > 0;
  if (did == Did::other_class) return changes_class(pairs, probe);
  if (did == Did::other_priority)  // which follows from another class
    return tells(probe, did) && *probe.arrived_priority != *probe.expected_priority &&
           !changes_class(pairs, probe);
  return probe.did == did;
}

bool is_sure(const PairProbe& probe, Did did) {
  if (did == Did::lost_packets) return probe.lost_by_host.empty() && !probe.software;
  return did == Did::other_class || did == Did::other_priority || probe.sure;
}

std::string dscp_text(int traffic_class) {
  return "DSCP " + std::to_string(traffic_class >> kEcnBits);
}

/// " in priority 3"
std::string priority_text(const std::optional<int>& priority) {
  return priority ? " in priority " + std::to_string(*priority) : "";
}

std::string remark_of(const PairProbes& pairs, const PairProbe& probe, Did did) {
  constexpr double kMegabyte = 1e6;
  if (did == Did::lost_packets)
    return finding::counted(static_cast<std::uint64_t>(*probe.lost), "packet") + " lost of " +
           finding::number(static_cast<double>(probe.bytes) / kMegabyte, "MB") +
           (probe.lost_by_host.empty() ? "" : "; " + probe.lost_by_host);
  if (did == Did::other_class)
    return "sent with " + dscp_text(pairs.sent_class) + priority_text(probe.sent_priority) +
           ", arrived with " + dscp_text(*probe.arrived_class) +
           priority_text(probe.arrived_priority);
  if (did == Did::other_priority)
    return "sent with " + dscp_text(pairs.sent_class) + priority_text(probe.sent_priority) +
           ", arrived" + priority_text(probe.arrived_priority) + " instead of " +
           std::to_string(*probe.expected_priority);
  return probe.remark;
}

/// Nothing of a port without paths in that direction.
Tally tally_of(const PairProbes& pairs, const ProbedPort& port, Direction direction, Did did) {
  const auto paths = pairs.ports.find(port);
  if (paths == pairs.ports.end()) return {};
  const auto found = paths->second.tallies.find({direction, did});
  return found == paths->second.tallies.end() ? Tally{} : found->second;
}

/// Of one path its two ends cannot be told apart.
bool is_bad(const Tally& tally) {
  return tally.all >= 2 && tally.bad * 2 > tally.all;
}

/// Where most ports of a rail are bad, it is what they share. Some of them tell.
bool is_widespread(const PairProbes& pairs, const ProbedPort& port, Did did) {
  std::set<ProbedPort> asked = pairs.ports.at(port).peers;
  asked.insert(port);
  const auto bad = static_cast<std::size_t>(std::ranges::count_if(asked, [&](const auto& one) {
    return std::ranges::any_of(kDirections, [&](Direction direction) {
      return is_bad(tally_of(pairs, one, direction, did));
    });
  }));
  return asked.size() > 2 && bad * 2 > asked.size();
}

/// Adds the path of that number to what is known of the port at one of its ends.
void add_path(const PairProbes& pairs, std::size_t number, Direction direction, PortPaths& port) {
  const PairProbe& probe = pairs.probes[number];
  for (const Did did : kBadly) {
    if (!tells(probe, did)) continue;
    port.told.insert(did);
    if (!probe.same_rail) continue;
    Tally& tally = port.tallies[{direction, did}];
    ++tally.all;
    if (!is_so(pairs, probe, did)) continue;
    if (tally.bad++ == 0) tally.first = number;
    tally.sure += is_sure(probe, did) ? 1 : 0;
    tally.by_fabric += probe.lost_by_host.empty() ? 1 : 0;
  }
}

void sum_up(PairProbes& pairs) {
  constexpr std::size_t kPeers = 7;
  pairs.asks_class = std::ranges::any_of(pairs.probes, &PairProbe::asks_class);
  for (std::size_t i = 0; i < pairs.probes.size(); ++i) {
    const PairProbe& probe = pairs.probes[i];
    PortPaths& sender = pairs.ports[probe.from];
    add_path(pairs, i, Direction::transmit, sender);
    add_path(pairs, i, Direction::receive, pairs.ports[probe.to]);
    if (probe.same_rail && sender.peers.size() < kPeers) sender.peers.insert(probe.to);
    if (!probe.line_rate_percent) continue;
    pairs.has_rates = true;
    sender.best_percent = std::max(sender.best_percent.value_or(0), *probe.line_rate_percent);
  }
  for (auto& [port, paths] : pairs.ports) {
    for (auto& [key, tally] : paths.tallies) {
      const bool all_lose = key.second == Did::lost_packets && tally.bad == tally.all;
      if (all_lose) tally.sure = tally.by_fabric;
      tally.accuses = is_bad(tally) && !is_widespread(pairs, port, key.second);
    }
  }
}

/// "3 of 3 paths TX"
std::string share_text(const Tally& tally, Direction direction) {
  return std::to_string(tally.bad) + " of " + std::to_string(tally.all) + " paths " +
         std::string(direction == Direction::transmit ? "TX" : "RX");
}

/// What was not measured is unknown where it was asked for, and else nobody's concern.
Answer without_pairs(const Inputs& in) {
  if (in.hosts.asks_pairs)
    return {.verdict = Verdict::unknown,
            .remark = "there is no test of pairs: start with launchers/mpirun, or give --pairs"};
  return not_applicable("no test of pairs was given (--pairs)");
}

/// Why nothing can be told of a port; PASS: it can.
Answer probed_at_all(const Inputs& in) {
  if (!in.hosts.pairs) return without_pairs(in);
  if (in.hosts.pairs->ports.contains(probed(in.subject))) return {};
  const std::string& why = in.hosts.pairs->unfinished;
  return {.verdict = Verdict::unknown,
          .remark = "no path of it was measured" + (why.empty() ? "" : ": " + why)};
}

template <Did did>
Answer does_well(const Inputs& in) {
  if (Answer answer = probed_at_all(in); answer.verdict != Verdict::pass) return answer;
  const ProbedPort port = probed(in.subject);
  Answer answer;
  std::size_t sure = 0;
  for (const Direction direction : kDirections) {
    const Tally tally = tally_of(*in.hosts.pairs, port, direction, did);
    if (!tally.accuses) continue;
    answer.direction = answer.observed.empty() ? direction : Direction::both;
    answer.observed += (answer.observed.empty() ? "" : ", ") + share_text(tally, direction);
    if (answer.remark.empty())
      answer.remark = remark_of(*in.hosts.pairs, in.hosts.pairs->probes[tally.first], did);
    sure += tally.sure;
  }
  if (answer.observed.empty()) return passed("0");
  answer.expected = "0";
  answer.verdict = Verdict::fail;
  if (sure > 0) return answer;
  return {.verdict = Verdict::unknown,
          .remark = answer.observed + ", which is not sure: " + answer.remark};
}

/// Where the limit is, as far as the host's own MTU tells.
Answer carries_large_packets(const Inputs& in) {
  Answer answer = does_well<Did::lost_large_packets>(in);
  if (answer.verdict != Verdict::fail) return answer;
  const Fact mtu = in.subject.facts->at("class/net/" + in.subject.netdev + "/mtu");
  if (mtu.known()) answer.remark += "; the MTU of its interface is " + mtu.text;
  return answer;
}

/// Of a path that works nothing is known in that respect: what to tell of all paths of a port.
Answer unless_all_untold(const Inputs& in, Did did, const char* why, Answer answer) {
  if (answer.verdict != Verdict::pass) return answer;
  if (in.hosts.pairs->ports.at(probed(in.subject)).told.contains(did)) return answer;
  return {.verdict = Verdict::unknown, .remark = why};
}

Answer loses_no_packets(const Inputs& in) {
  return unless_all_untold(in, Did::lost_packets,
                           "the ports at the ends of its paths count no lost packets; compare "
                           "counters of its switch ports",
                           does_well<Did::lost_packets>(in));
}

/// What the policy wants has to be what was sent.
Answer keeps_class(const Inputs& in) {
  if (!in.hosts.pairs) return without_pairs(in);
  const PairProbes& pairs = *in.hosts.pairs;
  if (!pairs.asks_class)
    return not_applicable("the test of pairs sent no datagrams: mode connect does");
  const int sent = pairs.sent_class >> kEcnBits;
  if (in.wanted.dscp && *in.wanted.dscp != sent)
    return {.verdict = Verdict::unknown,
            .remark = "the test sent DSCP " + std::to_string(sent) + ", and the policy has " +
                      std::to_string(*in.wanted.dscp) + ": run it with --traffic-class " +
                      std::to_string(*in.wanted.dscp << kEcnBits)};
  Answer answer = unless_all_untold(
      in, Did::other_class,
      "no IP header of a datagram was seen: its device does not show it; send, and compare "
      "counters by priority (ethtool -S)",
      does_well<Did::other_class>(in));
  if (answer.verdict == Verdict::pass)
    answer.observed += " with another than DSCP " + std::to_string(sent);
  return answer;
}

/// There are paths in that direction, and of none it is known how it did.
bool is_untold(const PairProbes& pairs, const ProbedPort& port, Direction direction, Did did) {
  return tally_of(pairs, port, direction, Did::nothing).all > 0 &&
         tally_of(pairs, port, direction, did).all == 0;
}

Answer keeps_priority(const Inputs& in) {
  Answer answer = does_well<Did::other_priority>(in);
  if (answer.verdict != Verdict::pass) return answer;
  std::vector<std::string> untold;
  for (const auto& [direction, text] :
       {std::pair(Direction::transmit, "TX"), std::pair(Direction::receive, "RX")}) {
    if (is_untold(*in.hosts.pairs, probed(in.subject), direction, Did::other_priority))
      untold.emplace_back(text);
  }
  if (untold.empty()) return answer;
  const std::string why = "no priority has nearly all bytes of its paths " +
                          finding::joined(untold, " and ") + ", or nobody counts them (ethtool -S)";
  if (in.subject.device->software) return not_applicable(why);
  return {.verdict = Verdict::unknown, .remark = why};
}

/// All paths of a port are slow where its rail is.
Answer has_rate(const Inputs& in) {
  constexpr double kLeast = 50;  // percent; of short streams
  constexpr double kPercent = 100;
  if (Answer answer = probed_at_all(in); answer.verdict != Verdict::pass) return answer;
  const auto best = in.hosts.pairs->ports.at(probed(in.subject)).best_percent;
  if (!in.hosts.pairs->has_rates)
    return not_applicable("the test measured no bandwidth, or no line rate is known");
  if (!best)
    return {.verdict = Verdict::unknown, .remark = "no path that it sends on has a bandwidth"};
  const std::string text = finding::percent(*best / kPercent);
  Answer answer = *best >= kLeast ? passed(text) : failed(text, "at least 50 %");
  answer.direction = Direction::transmit;
  return answer;
}

double middle_of(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// Of three hosts or more, from the clock in the middle; of two, from the first.
Answer has_time(const Inputs& in) {
  constexpr double kMostMs = 1;
  constexpr std::size_t kMajority = 3;
  if (!in.hosts.pairs) return without_pairs(in);
  const auto& clocks = in.hosts.pairs->clocks;
  if (clocks.empty())
    return not_applicable("the test of pairs compared no clocks: mode connect does");
  std::vector<double> all;
  for (const auto& [host, clock] : clocks)
    if (clock.ms) all.push_back(*clock.ms);
  const auto own = clocks.find(in.subject.facts->map.host);
  if (own == clocks.end() || !own->second.ms)
    return {.verdict = Verdict::unknown,
            .remark = own == clocks.end() ? "it was not in the test of pairs"
                                          : "it drifted too far while it was compared"};
  const double ahead = *own->second.ms - (all.size() >= kMajority ? middle_of(all) : 0);
  const double doubt = own->second.uncertainty_ms;
  const std::string text =
      finding::number(std::abs(ahead), "ms") + (ahead < 0 ? " behind" : " ahead");
  if (std::abs(ahead) + doubt <= kMostMs) return passed(text);
  const std::string remark = "+- " + finding::number(doubt, "ms");
  if (std::abs(ahead) - doubt > kMostMs) return warned(text, "at most 1 ms", remark);
  return {.verdict = Verdict::unknown, .remark = text + ", " + remark + ": the job was too busy"};
}

/// How it did badly, other than in what a port at one of its ends is accused of; empty: in nothing.
std::optional<Did> unexplained(const PairProbes& pairs, const PairProbe& probe) {
  for (const Did did : kBadly) {
    if (!is_so(pairs, probe, did)) continue;
    if (!tally_of(pairs, probe.from, Direction::transmit, did).accuses &&
        !tally_of(pairs, probe.to, Direction::receive, did).accuses)
      return did;
  }
  return std::nullopt;
}

std::string path_text(const PairProbes& pairs, const PairProbe& probe, Did did) {
  return probe.from.host + " " + probe.from.device + " -> " + probe.to.host + " " +
         probe.to.device + ": " + remark_of(pairs, probe, did);
}

/// Bad paths that no port explains, and what of the test is missing.
Answer paths_do_well(const Inputs& in) {
  constexpr std::size_t kShown = 2;
  if (!in.hosts.pairs) return without_pairs(in);
  const PairProbes& pairs = *in.hosts.pairs;
  std::vector<std::string> bad;
  std::vector<std::string> doubtful;
  for (const PairProbe& probe : pairs.probes) {
    if (const auto did = unexplained(pairs, probe))
      (is_sure(probe, *did) ? bad : doubtful).push_back(path_text(pairs, probe, *did));
  }
  if (!bad.empty()) return failed(std::to_string(bad.size()), "0", finding::first_of(bad, kShown));
  std::string why =
      pairs.unfinished.empty() ? "" : "the test of pairs ended early: " + pairs.unfinished;
  if (!doubtful.empty()) why = "not sure: " + finding::first_of(doubtful, kShown);
  if (!why.empty()) return {.verdict = Verdict::unknown, .remark = why};
  return passed("0");
}

/// A host that was probed and not recorded has no facts.
Answer all_are_recorded(const Inputs& in) {
  constexpr std::size_t kShown = 8;
  if (!in.hosts.pairs) return without_pairs(in);
  std::set<std::string> names;
  for (const PairProbe& probe : in.hosts.pairs->probes)
    names.insert({probe.from.host, probe.to.host});
  const std::size_t all = names.size();
  for (const HostFacts& host : in.hosts.facts) names.erase(host.map.host);
  if (names.empty()) return passed(std::to_string(all));
  return {.verdict = Verdict::unknown,
          .remark = "no recording of " + finding::first_of({names.begin(), names.end()}, kShown)};
}

/// By its own map of DSCPs.
std::optional<int> priority_at(const Subject& receiver, int dscp) {
  const Fact map = receiver.facts->at("dcb/" + receiver.netdev + "/dscp-to-priority");
  return map.known() ? mapped(map.text, dscp) : std::nullopt;
}

/// Says in which priority the packets of each path should arrive.
void expect_priorities(const Hosts& hosts, PairProbes& pairs) {
  std::map<ProbedPort, const Subject*> ports;
  for (const Subject& one : hosts.subjects)
    if (one.kind == Kind::port) ports.emplace(probed(one), &one);
  std::map<std::optional<int>, std::map<int, std::size_t>> arrived;  // by rail
  const auto receiver_of = [&](const PairProbe& probe) {
    const auto found = ports.find(probe.to);
    return probe.arrived_priority && found != ports.end() ? found->second : nullptr;
  };
  for (const PairProbe& probe : pairs.probes) {
    const Subject* const receiver = receiver_of(probe);
    if (receiver != nullptr) ++arrived[receiver->where.at.rail][*probe.arrived_priority];
  }
  const int dscp = pairs.sent_class >> kEcnBits;
  for (PairProbe& probe : pairs.probes) {
    const Subject* const receiver = receiver_of(probe);
    if (receiver == nullptr) continue;
    probe.expected_priority = priority_at(*receiver, dscp);
    if (!probe.expected_priority)
      probe.expected_priority = topology::majority(arrived[receiver->where.at.rail]);
  }
}

}  // namespace

void add_pairs(Hosts& hosts, PairProbes pairs) {
  expect_priorities(hosts, pairs);
  sum_up(pairs);
  hosts.pairs = std::move(pairs);
}

// NOLINTNEXTLINE(readability-function-size): rows of data
Checks pair_checks() {
  const std::string_view none = "of at most half of its paths in each direction";
  return {
      {.name = "pair-mtu",
       .title = "number of paths that lose large packets",
       .of = Kind::port,
       .expects = none,
       .judge = carries_large_packets,
       .cause = Cause::mtu,
       .remedy = "set one MTU on {netdev}, on its switch port and along the rail; railgauge paths "
                 "PEER --packet-bytes 4160 names the last switch before a narrow link",
       .source = "mlx5 counters: rx_oversize_pkts_phy; MTU end to end"},
      {.name = "pair-reach",
       .title = "number of paths that do not work",
       .of = Kind::port,
       .expects = none,
       .judge = does_well<Did::nothing>,
       .cause = Cause::unreachable,
       .remedy = "check link state, address, routes and VLAN of {netdev} and its switch port",
       .source = "AMD CVS preflight: connectivity by raw verbs"},
      {.name = "pair-speed",
       .title = "number of slow paths",
       .of = Kind::port,
       .expects = none,
       .judge = does_well<Did::slowly>,
       .cause = Cause::bandwidth,
       .remedy = "check link speed, FEC, PCIe link and switch port of {netdev}",
       .source = "GCP cluster-health-scanner: pairs; limits are those of the test of pairs"},
      {.name = "pair-rate",
       .title = "share of line rate of the fastest path",
       .of = Kind::port,
       .expects = "at least 50 %",
       .needs = hardware,
       .judge = has_rate,
       .cause = Cause::bandwidth,
       .remedy = "check FEC, PCIe link and NUMA node of {netdev}, and the speed of its switch port",
       .source = "own value: a rail that is slow as a whole has no fast neighbour"},
      {.name = "pair-loss",
       .title = "number of paths that lose packets",
       .of = Kind::port,
       .expects = none,
       .judge = loses_no_packets,
       .cause = Cause::packet_loss,
       .remedy = "check cable, transceiver and FEC of {netdev}, and discards of its switch port",
       .source = "mlx5 counters: out_of_sequence, packet_seq_err; who counted the gap"},
      {.name = "pair-class",
       .title = "number of paths that change the class of packets",
       .of = Kind::port,
       .expects = "packets arrive with the DSCP that they were sent with",
       .needs = roce,
       .judge = keeps_class,
       .cause = Cause::roce_setting,
       .remedy = "let the switch port of {netdev} trust DSCP and keep it: no rewriting, no policy "
                 "that marks",
       .source = "Microsoft, SIGCOMM 2016: the class that arrives, not the setting"},
      {.name = "pair-priority",
       .title = "number of paths whose packets arrive in another priority",
       .of = Kind::port,
       .expects = "the priority of the receiver's DSCP map, else that of most paths of the rail",
       .needs = roce | whole_card,
       .judge = keeps_priority,
       .cause = Cause::roce_setting,
       .remedy = "dcb app show dev {netdev}, and the DSCP map of its switch port; where packets "
                 "left in the wrong priority, those of the sender",
       .source = "mlx5 counters: rx_prio3_bytes; Microsoft, SIGCOMM 2016: DSCP-based PFC"},
      {.name = "clock-offset",
       .group = "time",
       .title = "clock against the other hosts'",
       .expects = "at most 1 ms",
       .judge = has_time,
       .remedy = "chronyc tracking; chronyc makestep; let all hosts have the same servers",
       .source = "sichek: more than 1 ms; Marzullo's intersection over barriers"},
      {.name = "pair-paths",
       .title = "number of bad paths that no port explains",
       .of = Kind::fabric,
       .expects = "0, and a test of pairs that measured all",
       .judge = paths_do_well,
       .cause = Cause::bandwidth,
       .remedy = "isolate_perf searches the link; with three hosts or more doctor names the port",
       .source = "own rule: what several paths share"},
      {.name = "pair-hosts",
       .title = "number of hosts in the test of pairs",
       .of = Kind::fabric,
       .expects = "each has a recording",
       .judge = all_are_recorded,
       .cause = Cause::not_tested,
       .remedy = "railgauge doctor --record on all hosts",
       .source = "own rule: what was not asked is UNKNOWN"},
  };
}

}  // namespace railgauge::doctor
