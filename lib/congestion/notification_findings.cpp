#include "congestion/findings.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "congestion/evidence.hpp"
#include "finding/words.hpp"

namespace railgauge::congestion {
namespace {

using finding::Cause;
using finding::Certainty;
using finding::Direction;
using finding::Endpoint;
using finding::Finding;
using finding::Location;
using finding::Severity;

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

/// One sender makes no queue; two of an incast have no more than a message of each other's.
bool is_control(const Step& step) {
  const std::size_t most_senders = step.scenario == Scenario::incast ? 2 : 1;
  return step.flows.size() <= most_senders && step.load < 1 && void_because(step).empty();
}

/// The switch that marks most; the receiver if none was asked.
Location where_marked(const Step& step) {
  std::map<std::string, std::int64_t> marks;
  for (const LinkSeries& link : step.links) {
    for (const auto& sample : link.samples) marks[link.from] += sample.marks;
  }
  const auto most =
      std::ranges::max_element(marks, {}, &std::pair<const std::string, std::int64_t>::second);
  if (most == marks.end() || most->second == 0)
    return port(step.flows.front().to, Direction::receive);
  return {.scope = finding::Scope::node, .switches = {most->first}};
}

Finding not_sent(const Endpoint& receiver, std::int64_t marks) {
  Finding finding = found(Cause::roce_setting, port(receiver, Direction::receive),
                          "receives ECN marks and sends no CNPs",
                          "turn the notification point on for this priority (roce_np)");
  finding.certainty = Certainty::confirmed;
  finding.evidence.push_back(observed_by(Observer::nic, "ECN marks", "packets", marks));
  finding.evidence.push_back(observed_by(Observer::nic, "CNPs sent", "packets", 0));
  return finding;
}

Finding not_received(Location where, std::int64_t sent, std::int64_t received) {
  Finding finding =
      found(Cause::roce_setting, std::move(where),
            frames(sent, "CNP") + " sent and " + std::to_string(received) + " received",
            "check the DSCP and priority of CNPs on the switches of the return path");
  finding.evidence.push_back(observed_by(Observer::nic, "CNPs received", "packets", received,
                                         static_cast<double>(sent), "CNPs that receivers sent"));
  return finding;
}

Finding ignored(const Endpoint& sender, std::int64_t count) {
  Finding finding = found(Cause::roce_setting, port(sender, Direction::transmit),
                          "ignores CNPs: it does not slow down",
                          "turn the reaction point on for this priority (roce_rp)");
  finding.certainty = Certainty::confirmed;
  finding.evidence.push_back(observed_by(Observer::nic, "ignored CNPs", "packets", count, 0));
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
/// Software devices have the timers of links a thousand times faster, and hardly slow down: one
/// that does not at all tells the CNPs that it ignores.
std::vector<Finding> of_nobody_slowing(Steps steps, std::int64_t received) {
  if (std::ranges::any_of(steps, &Step::software)) return {};
  std::pair<std::int64_t, std::int64_t> halves{};
  for (const Step* const step : steps) {
    const auto of_step = pauses_by_half(*step);
    halves.first += of_step.first;
    halves.second += of_step.second;
  }
  const bool goes_on =
      static_cast<double>(halves.second) > kMostLatePauses * static_cast<double>(halves.first);
  if (received < kLeastMarks || halves.second < kLeastMarks || !goes_on) return {};
  Finding finding = found(Cause::roce_setting, receiver_of(steps),
                          "senders receive CNPs, and are paused in the second half of a step as "
                          "often as in the first: they may not slow down",
                          "check that the reaction point of all senders is on, and its timers");
  finding.severity = Severity::warning;
  finding.certainty = Certainty::possible;
  finding.evidence.push_back(observed_by(Observer::nic, "CNPs received", "packets", received));
  finding.evidence.push_back(observed_by(Observer::nic, "pause frames in the second half", "frames",
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

}  // namespace

std::vector<Finding> of_marks(std::span<const Step> steps) {
  for (const Step& step : steps) {
    if (!is_control(step)) continue;
    const auto [marks, packets] = marked_at_receiver(step);
    const double most = kMostMarkedShare * static_cast<double>(packets);
    if (marks < kLeastMarks || static_cast<double>(marks) <= most) continue;
    Finding finding = found(
        Cause::roce_setting, where_marked(step),
        "packets are marked without congestion: " + frames(marks, "ECN mark") + " at load " +
            finding::number(step.load) + " of " + finding::counted(step.flows.size(), "sender"),
        "raise Kmin on the switches of the path: it is lower than a message or two");
    finding.evidence.push_back(
        observed_by(Observer::nic, "ECN marks", "packets", marks, most,
                    finding::percent(kMostMarkedShare) + " of " + frames(packets, "packet")));
    // A sender that was behind sends all that is due at once.
    if (step.flows.size() > 1) excuse(finding, std::array{&step});
    return {std::move(finding)};
  }
  return {};
}

std::vector<Finding> of_notifications(Steps steps) {
  std::vector<Finding> findings;
  for (const Endpoint& receiver : ends(steps, &Flow::to)) {
    const auto marks = total(steps, receiver, Signal::mark);
    const auto sent = total(steps, receiver, Signal::cnp_sent);
    if (marks >= kLeastMarks && sent == 0) findings.push_back(not_sent(receiver, *marks));
  }
  for (const Endpoint& sender : ends(steps, &Flow::from)) {
    const auto count = total(steps, sender, Signal::cnp_ignored);
    if (count.value_or(0) >= kLeastMarks) findings.push_back(ignored(sender, *count));
  }
  const std::int64_t sent = total_of(steps, &Flow::to, Signal::cnp_sent);
  const std::int64_t received = total_of(steps, &Flow::from, Signal::cnp_received) +
                                total_of(steps, &Flow::from, Signal::cnp_ignored);
  const bool lost = static_cast<double>(received) < kLeastCnpsShare * static_cast<double>(sent);
  if (sent >= kLeastMarks && lost && all_count(steps, &Flow::from, Signal::cnp_received)) {
    Location where = receiver_of(steps);
    where.direction = Direction::transmit;
    findings.push_back(not_received(std::move(where), sent, received));
  }
  std::ranges::move(of_nobody_slowing(steps, received), std::back_inserter(findings));
  return findings;
}

}  // namespace railgauge::congestion
