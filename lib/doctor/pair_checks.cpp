// How paths between ports did, port by port: what a test of pairs found, judged with what is known
// of the ports' hosts.

#include <algorithm>
#include <map>
#include <set>

#include "doctor/judging.hpp"
#include "finding/words.hpp"

namespace railgauge::doctor {
namespace {

using finding::Cause;
using finding::Direction;

/// Of the paths of a port in one direction those that did so.
struct Tally {
  std::size_t bad = 0;
  std::size_t sure = 0;  ///< of these
  std::size_t all = 0;
  const PairProbe* first = nullptr;  ///< of the bad ones
};

ProbedPort probed(const Subject& subject) {
  return {subject.facts->map.host, subject.device->name, subject.port->number};
}

Tally tally_of(const PairProbes& pairs, const ProbedPort& port, Direction direction, Did did) {
  Tally tally;
  for (const PairProbe& probe : pairs.probes) {
    const ProbedPort& end = direction == Direction::transmit ? probe.from : probe.to;
    if (!probe.same_rail || end != port) continue;
    ++tally.all;
    if (probe.did != did) continue;
    if (tally.first == nullptr) tally.first = &probe;
    ++tally.bad;
    tally.sure += probe.sure ? 1 : 0;
  }
  return tally;
}

/// Of one path its two ends cannot be told apart.
bool accuses(const Tally& tally) {
  return tally.all >= 2 && tally.bad * 2 > tally.all;
}

/// "3 of 3 paths TX"
std::string share_text(const Tally& tally, Direction direction) {
  return std::to_string(tally.bad) + " of " + std::to_string(tally.all) + " paths " +
         std::string(direction == Direction::transmit ? "TX" : "RX");
}

/// Why nothing can be told of a port; PASS: it can.
Answer probed_at_all(const Inputs& in) {
  if (!in.hosts.pairs) return not_applicable("no test of pairs was given (--pairs)");
  const ProbedPort port = probed(in.subject);
  const bool any = std::ranges::any_of(in.hosts.pairs->probes, [&](const PairProbe& probe) {
    return probe.from == port || probe.to == port;
  });
  if (any) return {};
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
  for (const Direction direction : {Direction::transmit, Direction::receive}) {
    const Tally tally = tally_of(*in.hosts.pairs, port, direction, did);
    if (!accuses(tally)) continue;
    answer.direction = answer.observed.empty() ? direction : Direction::both;
    answer.observed += (answer.observed.empty() ? "" : ", ") + share_text(tally, direction);
    if (answer.remark.empty()) answer.remark = tally.first->remark;
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

/// Whether a port at one of its ends is accused of the same, in the same direction.
bool is_accused(const PairProbes& pairs, const PairProbe& probe) {
  return accuses(tally_of(pairs, probe.from, Direction::transmit, probe.did)) ||
         accuses(tally_of(pairs, probe.to, Direction::receive, probe.did));
}

std::string path_text(const PairProbe& probe) {
  return probe.from.host + " " + probe.from.device + " -> " + probe.to.host + " " +
         probe.to.device + ": " + probe.remark;
}

/// Bad paths that no port explains, and what of the test is missing.
Answer paths_do_well(const Inputs& in) {
  constexpr std::size_t kShown = 2;
  if (!in.hosts.pairs) return not_applicable("no test of pairs was given (--pairs)");
  const PairProbes& pairs = *in.hosts.pairs;
  std::vector<std::string> bad;
  bool sure = false;
  for (const PairProbe& probe : pairs.probes) {
    if (probe.did == Did::well || is_accused(pairs, probe)) continue;
    bad.push_back(path_text(probe));
    sure = sure || probe.sure;
  }
  const std::string shown = finding::first_of(bad, kShown);
  if (sure) return failed(std::to_string(bad.size()), "0", shown);
  std::string why =
      pairs.unfinished.empty() ? "" : "the test of pairs ended early: " + pairs.unfinished;
  if (!bad.empty()) why = "not sure: " + shown;
  if (!why.empty()) return {.verdict = Verdict::unknown, .remark = why};
  return passed("0");
}

/// A host that was probed and not recorded has no facts.
Answer all_are_recorded(const Inputs& in) {
  constexpr std::size_t kShown = 8;
  if (!in.hosts.pairs) return not_applicable("no test of pairs was given (--pairs)");
  std::set<std::string> names;
  for (const PairProbe& probe : in.hosts.pairs->probes)
    names.insert({probe.from.host, probe.to.host});
  const std::size_t all = names.size();
  for (const HostFacts& host : in.hosts.facts) names.erase(host.map.host);
  if (names.empty()) return passed(std::to_string(all));
  return {.verdict = Verdict::unknown,
          .remark = "no recording of " + finding::first_of({names.begin(), names.end()}, kShown)};
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): rows of data
void add_pair_checks(Checks& checks) {
  const std::string_view group = "pairs";
  const std::string_view none = "of at most half of its paths in each direction";
  const Checks rows{
      {.name = "pair-mtu",
       .group = group,
       .title = "number of paths that lose large packets",
       .of = Kind::port,
       .expects = none,
       .judge = carries_large_packets,
       .cause = Cause::mtu,
       .remedy = "set one MTU on {netdev}, on its switch port and along the rail",
       .source = "validation G3: path MTU end to end",
       .level = Level::pair},
      {.name = "pair-reach",
       .group = group,
       .title = "number of paths that do not work",
       .of = Kind::port,
       .expects = none,
       .judge = does_well<Did::nothing>,
       .cause = Cause::unreachable,
       .remedy = "check link state, address, routes and VLAN of {netdev} and its switch port",
       .source = "validation D11: a queue pair on every path",
       .level = Level::pair},
      {.name = "pair-speed",
       .group = group,
       .title = "number of slow paths",
       .of = Kind::port,
       .expects = none,
       .judge = does_well<Did::slowly>,
       .cause = Cause::bandwidth,
       .remedy = "check link speed, FEC, PCIe link and switch port of {netdev}",
       .source = "validation B2, C1; limits are those of the test of pairs",
       .level = Level::pair},
      {.name = "pair-paths",
       .group = group,
       .title = "number of bad paths that no port explains",
       .of = Kind::fabric,
       .expects = "0, and a test of pairs that measured all",
       .judge = paths_do_well,
       .cause = Cause::bandwidth,
       .remedy = "isolate_perf searches the link; with three hosts or more doctor names the port",
       .source = "validation 4.1: what several paths share",
       .level = Level::pair},
      {.name = "pair-hosts",
       .group = group,
       .title = "number of hosts in the test of pairs",
       .of = Kind::fabric,
       .expects = "each has a recording",
       .judge = all_are_recorded,
       .cause = Cause::not_tested,
       .remedy = "railgauge doctor --record on all hosts",
       .source = "validation 1.1: fail closed",
       .level = Level::pair},
  };
  checks.insert(checks.end(), rows.begin(), rows.end());
}

}  // namespace railgauge::doctor
