#include "congestion/findings.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "congestion/fairness.hpp"
#include "finding/words.hpp"
#include "measure/cpu_share.hpp"

namespace railgauge::congestion {
namespace {

using finding::Cause;
using finding::Certainty;
using finding::Direction;
using finding::Endpoint;
using finding::Evidence;
using finding::Finding;
using finding::Location;
using finding::Scope;
using finding::Severity;
using Steps = std::span<const Step* const>;

constexpr const char* kCheck = "congestion";

Finding found(Cause cause, Location where, std::string detail, std::string remedy) {
  Finding finding = finding::found(kCheck, cause, std::move(where));
  finding.severity = Severity::error;
  finding.detail = std::move(detail);
  finding.remedy = std::move(remedy);
  return finding;
}

Location port(const Endpoint& end, Direction direction) {
  return {.scope = Scope::port, .direction = direction, .at = end};
}

Evidence counted_by(Observer observer, std::string metric, std::string unit, std::int64_t observed,
                    std::optional<double> expected = std::nullopt, std::string from = "") {
  return {.metric = std::move(metric),
          .unit = std::move(unit),
          .observed = static_cast<double>(observed),
          .expected = expected,
          .expected_from = std::move(from),
          .text = "observed by: " + std::string(word(observer))};
}

std::uint64_t positive(std::int64_t count) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
}

std::string frames(std::int64_t count, std::string_view what) {
  return finding::counted(positive(count), what);
}

/// Each port once, with what all steps counted of it; empty: no step has it, or it does not count.
std::optional<std::int64_t> total(Steps steps, const Endpoint& end, Signal signal) {
  std::optional<std::int64_t> sum;
  for (const Step* const step : steps) {
    const PortSeries* const series = port_of(*step, end);
    if (series == nullptr || !counts(*series, signal)) continue;
    sum = sum.value_or(0) + total(*series, signal);
  }
  return sum;
}

std::set<Endpoint> ends(Steps steps, Endpoint Flow::*end) {
  std::set<Endpoint> all;
  for (const Step* const step : steps) {
    for (const Flow& flow : step->flows) all.insert(flow.*end);
  }
  return all;
}

/// The receiver of the incast.
Location receiver_of(Steps steps) {
  for (const Step* const step : steps) {
    for (const Flow* const flow : rivals(*step)) return port(flow->to, Direction::receive);
  }
  return {};
}

Observer observer_of(Steps steps) {
  const bool asked =
      std::ranges::any_of(steps, [](const Step* step) { return !step->links.empty(); });
  return asked ? Observer::network_switch : Observer::nic;
}

/// What is only possible while a process of the flows did not always have a CPU.
void excuse(Finding& finding, Steps steps) {
  double least = 1;
  for (const Step* const step : steps) {
    for (const Flow& flow : step->flows) least = std::min(least, flow.cpu_share);
  }
  if (measure::had_full_share(least)) return;
  finding.certainty = Certainty::possible;
  finding.excuses.push_back(measure::cpu_share_text(least));
}

using Drops = std::map<std::pair<std::string, std::string>, std::map<std::string, std::int64_t>>;

Drops drops_of(Steps steps) {
  Drops drops;
  for (const Step* const step : steps) {
    for (const LinkSeries& link : step->links) {
      for (const auto& [reason, count] : link.drops) {
        if (count > 0) drops[{link.from, link.to}][reason] += count;
      }
    }
  }
  return drops;
}

std::string remedy_of_drop(const std::string& reason, const std::string& from) {
  if (reason == "headroom_full")
    return "turn PFC on for this class at " + from +
           ", which does not stop, or give it more headroom";
  if (reason == "buffer_full")
    return "make the class lossless (PFC), or give it more buffer, and lower Kmin";
  if (reason == "watchdog") return "check for a receiver that pauses for too long";
  return "check the switch's counters of drops for this reason";
}

std::vector<Finding> of_drops(Steps steps) {
  std::vector<Finding> findings;
  for (const auto& [link, reasons] : drops_of(steps)) {
    for (const auto& [reason, count] : reasons) {
      Finding finding =
          found(Cause::packet_loss, {.scope = Scope::link, .switches = {link.first, link.second}},
                frames(count, "packet") + " dropped under congestion (" + reason + ")",
                remedy_of_drop(reason, link.first));
      finding.certainty = Certainty::confirmed;
      finding.evidence.push_back(counted_by(Observer::network_switch, "dropped packets", "packets",
                                            count, 0, "a lossless class"));
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

std::vector<Finding> of_dropping(Steps steps, const Seen& seen, const Judged& judged) {
  if (std::vector<Finding> by_link = of_drops(steps); !by_link.empty()) return by_link;
  Finding finding = found(Cause::packet_loss, receiver_of(steps),
                          "packets were dropped under congestion: " + judged.reason,
                          "make the class lossless (PFC) on all switches of the path, or check the "
                          "DSCP to priority map");
  finding.evidence.push_back(counted_by(observer_of(steps), "dropped packets", "packets",
                                        seen.losses.count, 0, "a lossless class"));
  return {std::move(finding)};
}

Finding of_pfc(Steps steps, const Seen& seen, const Judged& judged) {
  const bool only = judged.verdict == Verdict::pfc_only;
  Finding finding =
      found(Cause::roce_setting, receiver_of(steps),
            only ? "PFC pauses senders, and no packet is marked: " + judged.reason
                 : "PFC pauses senders before the first ECN mark: " + judged.reason,
            only ? "turn ECN on for this class on the switches of the path, or accept it with "
                   "--expect pfc"
                 : "lower Kmin and Kmax, or raise XOFF, on the switches of the path");
  const Observer observer = observer_of(steps);
  finding.evidence.push_back(counted_by(observer, "pause frames", "frames", seen.pauses.count));
  finding.evidence.push_back(counted_by(observer, "ECN marks", "packets", seen.marks.count));
  return finding;
}

/// Marks and packets of the port at the receiver of a step with a single sender and no congestion.
struct Marked {
  std::int64_t marks = 0;
  std::int64_t packets = 0;
};

Marked marked_at_receiver(const Step& step) {
  Marked marked;
  const PortSeries* const series = port_of(step, step.flows.front().to);
  if (series == nullptr || !counts(*series, Signal::mark)) return marked;
  marked.marks = total(*series, Signal::mark);
  for (const Sample& sample : series->samples) marked.packets += sample.packets_received;
  return marked;
}

bool is_control(const Step& step) {
  return step.flows.size() == 1 && step.load < 1 && void_because(step).empty();
}

Finding not_sent(const Endpoint& receiver, std::int64_t marks) {
  Finding finding = found(Cause::roce_setting, port(receiver, Direction::receive),
                          "receives ECN marks and sends no CNPs",
                          "turn the notification point on for this priority (roce_np)");
  finding.certainty = Certainty::confirmed;
  finding.evidence.push_back(counted_by(Observer::nic, "ECN marks", "packets", marks));
  finding.evidence.push_back(counted_by(Observer::nic, "CNPs sent", "packets", 0));
  return finding;
}

Finding not_received(Location where, std::int64_t sent, std::int64_t received) {
  Finding finding =
      found(Cause::roce_setting, std::move(where),
            frames(sent, "CNP") + " sent and " + std::to_string(received) + " received",
            "check the DSCP and priority of CNPs on the switches of the return path");
  finding.evidence.push_back(counted_by(Observer::nic, "CNPs received", "packets", received,
                                        static_cast<double>(sent), "CNPs that receivers sent"));
  return finding;
}

Finding ignored(const Endpoint& sender, std::int64_t count) {
  Finding finding = found(Cause::roce_setting, port(sender, Direction::transmit),
                          "ignores CNPs: it does not slow down",
                          "turn the reaction point on for this priority (roce_rp)");
  finding.certainty = Certainty::confirmed;
  finding.evidence.push_back(counted_by(Observer::nic, "ignored CNPs", "packets", count, 0));
  return finding;
}

/// Pauses of senders in the first and in the second half of a step.
std::pair<std::int64_t, std::int64_t> pauses_by_half(const Step& step) {
  std::pair<std::int64_t, std::int64_t> halves{};
  for (const Flow* const flow : rivals(step)) {
    const PortSeries* const series = port_of(step, flow->from);
    if (series == nullptr || series->samples.empty()) continue;
    const double middle = (series->samples.front().begin_s + series->samples.back().end_s) / 2;
    for (const Sample& sample : series->samples) {
      (sample.end_s <= middle ? halves.first : halves.second) +=
          sample.counts[telemetry::index_of(Signal::pause_received)];
    }
  }
  return halves;
}

/// Not by shares, which are equal if nobody slows down: by pauses that go on as they began.
std::vector<Finding> of_nobody_slowing(Steps steps, std::int64_t received, const Policy& policy) {
  std::pair<std::int64_t, std::int64_t> halves{};
  for (const Step* const step : steps) {
    const auto of_step = pauses_by_half(*step);
    halves.first += of_step.first;
    halves.second += of_step.second;
  }
  const bool goes_on = static_cast<double>(halves.second) >
                       policy.most_late_pauses * static_cast<double>(halves.first);
  if (received < policy.least_marks || halves.second < policy.least_marks || !goes_on) return {};
  Finding finding = found(Cause::roce_setting, receiver_of(steps),
                          "senders receive CNPs, and are paused in the second half of a step as "
                          "often as in the first: they may not slow down",
                          "check that the reaction point of all senders is on, and its timers");
  finding.severity = Severity::warning;
  finding.certainty = Certainty::possible;
  finding.evidence.push_back(counted_by(Observer::nic, "CNPs received", "packets", received));
  finding.evidence.push_back(counted_by(Observer::nic, "pause frames in the second half", "frames",
                                        halves.second, static_cast<double>(halves.first),
                                        "first half"));
  return {std::move(finding)};
}

std::int64_t total_of(Steps steps, Endpoint Flow::*end, Signal signal) {
  std::int64_t sum = 0;
  for (const Endpoint& one : ends(steps, end)) sum += total(steps, one, signal).value_or(0);
  return sum;
}

bool all_count(Steps steps, Endpoint Flow::*end, Signal signal) {
  return std::ranges::all_of(
      ends(steps, end), [&](const Endpoint& one) { return total(steps, one, signal).has_value(); });
}

/// What switches count of a host's link: its port there, by the name of the host.
struct HostLink {
  std::int64_t pauses = 0;
  std::int64_t overflows = 0;
};

std::map<std::string, HostLink> links_of_hosts(Steps steps) {
  std::map<std::string, HostLink> hosts;
  for (const Step* const step : steps) {
    for (const LinkSeries& link : step->links) {
      if (!link.from_host) continue;
      HostLink& host = hosts[link.from];
      for (const auto& sample : link.samples) host.pauses += sample.pauses_sent;
      if (const auto drops = link.drops.find("headroom_full"); drops != link.drops.end())
        host.overflows += drops->second;
    }
  }
  return hosts;
}

/// The flow with the largest share, of a step, if that is more than its own.
const Flow* greediest(const Step& step, const Policy& policy) {
  const auto all = rivals(step);
  const auto most = std::ranges::max_element(all, {}, &Flow::gbps);
  const std::vector<double> rates = shares(step);
  const double sum = std::accumulate(rates.begin(), rates.end(), 0.0);
  if (most == all.end() || sum <= 0) return nullptr;
  const double fair = sum / static_cast<double>(all.size());
  return (*most)->gbps > policy.most_share * fair ? *most : nullptr;
}

Evidence share_of(const Step& step, const Flow& flow) {
  const std::vector<double> all = shares(step);
  const double sum = std::accumulate(all.begin(), all.end(), 0.0);
  return {.metric = "bandwidth",
          .unit = "GB/s",
          .observed = flow.gbps,
          .expected = sum / static_cast<double>(all.size()),
          .expected_from = "fair share at load " + finding::number(step.load),
          .text = "observed by: " + std::string(word(Observer::nic))};
}

Finding not_reacting(const Step& step, const Flow& flow) {
  Finding finding =
      found(Cause::roce_setting, port(flow.from, Direction::transmit),
            "does not react to CNPs: it sends more than its fair share, and the others slow down",
            "turn the reaction point on for this priority (roce_rp), as on the other senders");
  finding.evidence.push_back(share_of(step, flow));
  return finding;
}

Finding unfair(const Step& step, const Flow* greedy) {
  const Location where = greedy != nullptr ? port(greedy->from, Direction::transmit)
                                           : port(rivals(step).front()->to, Direction::receive);
  Finding finding = found(
      Cause::bandwidth, where, "unfair shares of senders at load " + finding::number(step.load),
      "compare ECN settings of the senders and the scheduler weights of the switches");
  finding.severity = Severity::warning;
  finding.evidence.push_back({.metric = "Jain index",
                              .observed = fairness(step),
                              .expected = 1.0,
                              .expected_from = "equal shares",
                              .text = "observed by: " + std::string(word(Observer::derived))});
  if (greedy != nullptr) finding.evidence.push_back(share_of(step, *greedy));
  return finding;
}

/// Packets by priority that come into a switch, and that leave it.
struct Passage {
  std::map<int, std::int64_t> in{};
  std::map<int, std::int64_t> out{};
};

std::map<std::string, Passage> passages(Steps steps) {
  std::map<std::string, Passage> all;
  for (const Step* const step : steps) {
    for (const LinkSeries& link : step->links) {
      std::int64_t packets = 0;
      for (const auto& sample : link.samples) packets += sample.packets;
      if (!link.to_host) all[link.to].in[link.priority] += packets;
      if (!link.from_host) all[link.from].out[link.priority] += packets;
    }
  }
  return all;
}

/// The priority of which more packets leave than come, and by how many.
std::pair<int, std::int64_t> gained(const Passage& passage) {
  std::pair<int, std::int64_t> most{};
  for (const auto& [priority, out] : passage.out) {
    const auto in = passage.in.find(priority);
    const std::int64_t more = out - (in == passage.in.end() ? 0 : in->second);
    if (more > most.second) most = {priority, more};
  }
  return most;
}

std::int64_t sum_of(const std::map<int, std::int64_t>& packets) {
  return std::accumulate(packets.begin(), packets.end(), std::int64_t{0},
                         [](std::int64_t sum, const auto& one) { return sum + one.second; });
}

const Flow* victim_of(const Step& step) {
  const auto found = std::ranges::find(step.flows, true, &Flow::victim);
  return found == step.flows.end() ? nullptr : &*found;
}

finding::Coverage coverage_of(std::span<const Step> steps, const Judged& judged) {
  finding::Coverage coverage{.check = kCheck};
  for (const Step& step : steps) {
    if (!is_congested(step)) continue;
    ++coverage.planned;
    if (const std::string why = void_because(step); !why.empty()) {
      coverage.skipped.push_back(step.name + ": " + why);
    } else {
      ++coverage.tested;
    }
  }
  const bool is_void =
      judged.verdict == Verdict::unknown || judged.verdict == Verdict::no_congestion;
  if (!is_void) return coverage;
  coverage.planned = std::max<std::uint64_t>(coverage.planned, 1);
  coverage.tested = 0;
  coverage.skipped = {std::string(word(judged.verdict)) + ": " + judged.reason};
  return coverage;
}

void append(std::vector<Finding>& all, std::vector<Finding> more) {
  std::ranges::move(more, std::back_inserter(all));
}

}  // namespace

std::vector<Finding> of_verdict(Steps steps, const Judged& judged, const Policy& policy) {
  const Seen seen = seen_in(steps);
  if (judged.verdict == Verdict::dropping) return of_dropping(steps, seen, judged);
  const bool is_pfc = judged.verdict == Verdict::pfc_first || judged.verdict == Verdict::pfc_only;
  if (!is_pfc || !policy.expects_ecn) return {};
  return {of_pfc(steps, seen, judged)};
}

std::vector<Finding> of_marks(std::span<const Step> steps, const Policy& policy) {
  std::vector<Finding> findings;
  for (const Step& step : steps) {
    if (!is_control(step)) continue;
    const auto [marks, packets] = marked_at_receiver(step);
    const double most = policy.most_marked_share * static_cast<double>(packets);
    if (marks < policy.least_marks || static_cast<double>(marks) <= most) continue;
    Finding finding =
        found(Cause::roce_setting, port(step.flows.front().to, Direction::receive),
              "packets are marked without congestion: " + frames(marks, "ECN mark") + " at load " +
                  finding::number(step.load) + " of one sender",
              "raise Kmin on the switches of the path: it is lower than what a single flow queues");
    finding.evidence.push_back(counted_by(
        Observer::nic, "ECN marks", "packets", marks, most,
        finding::percent(policy.most_marked_share) + " of " + frames(packets, "packet")));
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<Finding> of_notifications(Steps steps, const Policy& policy) {
  std::vector<Finding> findings;
  for (const Endpoint& receiver : ends(steps, &Flow::to)) {
    const auto marks = total(steps, receiver, Signal::mark);
    const auto sent = total(steps, receiver, Signal::cnp_sent);
    if (marks >= policy.least_marks && sent == 0) findings.push_back(not_sent(receiver, *marks));
  }
  for (const Endpoint& sender : ends(steps, &Flow::from)) {
    const auto count = total(steps, sender, Signal::cnp_ignored);
    if (count.value_or(0) >= policy.least_marks) findings.push_back(ignored(sender, *count));
  }
  const std::int64_t sent = total_of(steps, &Flow::to, Signal::cnp_sent);
  const std::int64_t received = total_of(steps, &Flow::from, Signal::cnp_received);
  const bool lost =
      static_cast<double>(received) < policy.least_cnps_share * static_cast<double>(sent);
  if (sent >= policy.least_marks && lost && all_count(steps, &Flow::from, Signal::cnp_received)) {
    Location where = receiver_of(steps);
    where.direction = Direction::transmit;
    findings.push_back(not_received(std::move(where), sent, received));
  }
  append(findings, of_nobody_slowing(steps, received, policy));
  return findings;
}

std::vector<Finding> of_pauses(Steps steps, const Policy& policy) {
  std::vector<Finding> findings;
  const auto links = links_of_hosts(steps);
  for (const Endpoint& sender : ends(steps, &Flow::from)) {
    const auto link = links.find(sender.host);
    const auto heard = total(steps, sender, Signal::pause_received);
    if (link == links.end() || heard != 0) continue;
    if (link->second.pauses < policy.least_marks) continue;
    Finding finding = found(
        Cause::roce_setting, port(sender, Direction::transmit),
        "the switch sends pause frames, and the NIC counts none: it does not pause this priority",
        "turn PFC on for the same priority on the NIC and its switch port");
    finding.certainty = link->second.overflows > 0 ? Certainty::confirmed : Certainty::likely;
    finding.evidence.push_back(counted_by(Observer::network_switch, "pause frames to the host",
                                          "frames", link->second.pauses));
    finding.evidence.push_back(counted_by(Observer::nic, "pause frames", "frames", 0,
                                          static_cast<double>(link->second.pauses),
                                          "pause frames of the switch"));
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<Finding> of_shares(Steps steps, const Policy& policy) {
  std::map<Endpoint, std::vector<const Step*>> greedy;
  const Step* unequal = nullptr;
  for (const Step* const step : steps) {
    const auto jain = fairness(*step);
    if (!jain) continue;
    if (const Flow* const flow = greediest(*step, policy)) greedy[flow->from].push_back(step);
    if (unequal == nullptr && *jain < policy.least_fairness) unequal = step;
  }
  for (const auto& [sender, of_sender] : greedy) {
    const bool told = total(steps, sender, Signal::cnp_received).value_or(0) >= policy.least_marks;
    const bool often = of_sender.size() >= static_cast<std::size_t>(policy.least_unfair_steps);
    if (!told || !often) continue;
    Finding finding = not_reacting(*of_sender.back(), *greediest(*of_sender.back(), policy));
    excuse(finding, of_sender);
    return {std::move(finding)};
  }
  if (unequal == nullptr) return {};
  Finding finding = unfair(*unequal, greediest(*unequal, policy));
  excuse(finding, std::array{unequal});
  return {std::move(finding)};
}

std::vector<Finding> of_classes(Steps steps, const Policy& policy) {
  std::vector<Finding> findings;
  for (const auto& [node, passage] : passages(steps)) {
    const auto [priority, more] = gained(passage);
    const double most = policy.most_reclassified_share * static_cast<double>(sum_of(passage.in));
    if (more < policy.least_marks || static_cast<double>(more) <= most) continue;
    Finding finding =
        found(Cause::roce_setting, {.scope = Scope::node, .switches = {node}},
              frames(more, "packet") + " came in another priority and left in priority " +
                  std::to_string(priority),
              "compare the DSCP to priority map of this switch with the others, and check whether "
              "DSCP is rewritten on the links to it");
    finding.certainty = Certainty::confirmed;
    finding.evidence.push_back(counted_by(Observer::network_switch,
                                          "packets that changed their priority", "packets", more, 0,
                                          "the same DSCP to priority map on all switches"));
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<Finding> of_victims(std::span<const Step> steps, const Policy& policy) {
  std::optional<double> alone;
  for (const Step& step : steps) {
    const Flow* const victim = victim_of(step);
    if (victim == nullptr || !void_because(step).empty()) continue;
    if (rivals(step).empty()) {
      alone = victim->gbps;
      continue;
    }
    if (!alone || victim->gbps >= policy.least_victim_share * *alone) continue;
    Finding finding = found(
        Cause::bandwidth, {.scope = Scope::path, .at = victim->from, .peer = victim->to},
        "a flow to another receiver has " + finding::percent(victim->gbps / *alone) +
            " of its bandwidth next to the incast",
        "find what it shares with the incast: a link, a buffer, or a priority that is paused");
    finding.severity = Severity::warning;
    finding.evidence.push_back({.metric = "bandwidth",
                                .unit = "GB/s",
                                .observed = victim->gbps,
                                .expected = alone,
                                .expected_from = "the same flow alone",
                                .text = "observed by: " + std::string(word(Observer::nic))});
    const std::array one{&step};
    excuse(finding, one);
    return {std::move(finding)};
  }
  return {};
}

finding::Report report_of(std::span<const Step> steps, const Policy& policy) {
  const std::vector<const Step*> all = congested(steps);
  const Judged judged = judge(steps);
  std::vector<Finding> findings = of_verdict(all, judged, policy);
  append(findings, of_marks(steps, policy));
  append(findings, of_notifications(all, policy));
  append(findings, of_pauses(all, policy));
  append(findings, of_shares(all, policy));
  append(findings, of_classes(all, policy));
  append(findings, of_victims(steps, policy));
  return {.findings = std::move(findings), .coverage = {coverage_of(steps, judged)}};
}

}  // namespace railgauge::congestion
