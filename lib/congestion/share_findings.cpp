#include "congestion/findings.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
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
using finding::Evidence;
using finding::Finding;
using finding::Location;
using finding::Scope;
using finding::Severity;

/// The flow with the largest share, of a step, if that is more than its own.
const Flow* greediest(const Step& step) {
  const auto all = rivals(step);
  const auto most = std::ranges::max_element(all, {}, &Flow::gbps);
  const std::vector<double> rates = shares(step);
  const double sum = std::accumulate(rates.begin(), rates.end(), 0.0);
  if (most == all.end() || sum <= 0) return nullptr;
  const double fair = sum / static_cast<double>(all.size());
  return (*most)->gbps > kMostShare * fair ? *most : nullptr;
}

Evidence share_of(const Step& step, const Flow& flow) {
  const std::vector<double> all = shares(step);
  const double sum = std::accumulate(all.begin(), all.end(), 0.0);
  return observed_by(Observer::nic, "bandwidth", "GB/s", flow.gbps,
                     sum / static_cast<double>(all.size()),
                     "fair share at load " + finding::number(step.load));
}

Finding not_reacting(const Step& step, const Flow& flow) {
  Finding finding =
      found(Cause::roce_setting, port(flow.from, Direction::transmit),
            "does not react to CNPs: it sends more than its fair share, and the others slow down",
            "turn the reaction point on for this priority (roce_rp), as on the other senders");
  finding.evidence.push_back(share_of(step, flow));
  return finding;
}

std::int64_t pauses_of(const Step& step, const Flow& flow) {
  return pauses_at(step, flow.from, false);
}

/// The others are paused, and it is not: a switch holds its packets for less long.
bool is_spared(const Step& step, const Flow& flow) {
  std::int64_t others = 0;
  const auto all = rivals(step);
  for (const Flow* const one : all) others += one == &flow ? 0 : pauses_of(step, *one);
  const double mean = static_cast<double>(others) / static_cast<double>(all.size() - 1);
  return mean >= static_cast<double>(kLeastMarks) &&
         static_cast<double>(pauses_of(step, flow)) < kMostSpared * mean;
}

/// Its messages, which become due at a rate, take as long as those of one sender alone, although
/// the receiver's queue is full.
bool is_overtaking(const Step& step, const Flow& flow, double alone_s) {
  const bool at_a_rate = flow.offered_gbps < kLeastFairShare * step.line_gbps;
  return at_a_rate && alone_s > 0 && flow.median_message_s < kMostUndelayed * alone_s;
}

/// The median message time of a sender alone, at half load; 0: there is no such step.
double alone_of(std::span<const Step> steps) {
  const auto alone = std::ranges::find_if(steps, [](const Step& step) {
    return step.flows.size() == 1 && step.load > 0 && step.load < 1 && void_because(step).empty();
  });
  return alone == steps.end() ? 0 : alone->flows.front().median_message_s;
}

/// The switch of its host, if switches were asked; else the path to the receiver.
Location before_others(const Step& step, const Flow& flow) {
  for (const LinkSeries& link : step.links) {
    if (link.from_host && link.from == flow.from.host)
      return {.scope = Scope::node, .switches = {link.to}};
  }
  return {.scope = Scope::path, .at = flow.from, .peer = flow.to};
}

Finding preferred(const Step& step, const Flow& flow) {
  Finding finding = found(Cause::roce_setting, before_others(step, flow),
                          "packets of " + in_words(flow.from) +
                              " do not wait in the queue of the others: a switch sends them first",
                          "compare scheduler weights and priorities of the ports of this switch");
  finding.certainty = Certainty::likely;
  finding.alternatives.push_back(port(flow.from, Direction::transmit));
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
  finding.evidence.push_back(
      observed_by(Observer::derived, "Jain index", "", fairness(step), 1, "equal shares"));
  if (greedy != nullptr) finding.evidence.push_back(share_of(step, *greedy));
  return finding;
}

/// The steps in which a sender has more than its share.
std::map<Endpoint, std::vector<const Step*>> greedy_senders(Steps steps) {
  std::map<Endpoint, std::vector<const Step*>> greedy;
  for (const Step* const step : steps) {
    if (!fairness(*step)) continue;
    if (const Flow* const flow = greediest(*step)) greedy[flow->from].push_back(step);
  }
  return greedy;
}

/// A switch prefers it, or it does not react although it was told. Nothing of too few steps.
std::vector<Finding> of_greedy(const std::vector<const Step*>& steps, bool told, double alone_s) {
  if (steps.size() < kLeastUnfairSteps) return {};
  const auto preferring = std::ranges::find_if(steps, [&](const Step* step) {
    const Flow& flow = *greediest(*step);
    return is_spared(*step, flow) || is_overtaking(*step, flow, alone_s);
  });
  const bool is_preferred = preferring != steps.end();
  if (!is_preferred && !told) return {};
  const Step& step = is_preferred ? **preferring : *steps.back();
  const Flow& flow = *greediest(step);
  Finding finding = is_preferred ? preferred(step, flow) : not_reacting(step, flow);
  excuse(finding, steps);
  return {std::move(finding)};
}

}  // namespace

std::vector<Finding> of_shares(std::span<const Step> all) {
  const std::vector<const Step*> steps = congested(all);
  for (const auto& [sender, of_sender] : greedy_senders(steps)) {
    const bool told = total(steps, sender, Signal::cnp_received).value_or(0) >= kLeastMarks;
    auto findings = of_greedy(of_sender, told, alone_of(all));
    if (!findings.empty()) return findings;
  }
  const auto unequal = std::ranges::find_if(
      steps, [&](const Step* step) { return fairness(*step).value_or(1) < kLeastFairness; });
  if (unequal == steps.end()) return {};
  Finding finding = unfair(**unequal, greediest(**unequal));
  excuse(finding, std::array{*unequal});
  return {std::move(finding)};
}

std::vector<Finding> of_victims(std::span<const Step> steps) {
  std::optional<double> alone;
  for (const Step* const step : valid(steps, Scenario::victim)) {
    const Flow* const victim = victim_of(*step);
    if (victim == nullptr) continue;
    if (rivals(*step).empty()) {
      alone = victim->gbps;
      continue;
    }
    if (!alone || victim->gbps >= kLeastVictimShare * *alone) continue;
    Finding finding = found(
        Cause::bandwidth, {.scope = Scope::path, .at = victim->from, .peer = victim->to},
        "a flow to another receiver has " + finding::percent(victim->gbps / *alone) +
            " of its bandwidth next to the incast",
        "find what it shares with the incast: a link, a buffer, or a priority that is paused");
    finding.severity = Severity::warning;
    finding.evidence.push_back(observed_by(Observer::nic, "bandwidth", "GB/s", victim->gbps, alone,
                                           "the same flow alone"));
    excuse(finding, std::array{step});
    return {std::move(finding)};
  }
  return {};
}

}  // namespace railgauge::congestion
