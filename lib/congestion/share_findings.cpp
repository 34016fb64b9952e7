#include "congestion/findings.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "congestion/evidence.hpp"
#include "congestion/fairness.hpp"
#include "finding/words.hpp"

namespace railgauge::congestion {
namespace {

using finding::Cause;
using finding::Direction;
using finding::Endpoint;
using finding::Evidence;
using finding::Finding;
using finding::Location;
using finding::Scope;
using finding::Severity;

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

const Flow* victim_of(const Step& step) {
  const auto found = std::ranges::find(step.flows, true, &Flow::victim);
  return found == step.flows.end() ? nullptr : &*found;
}

}  // namespace

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

std::vector<Finding> of_victims(std::span<const Step> steps, const Policy& policy) {
  std::optional<double> alone;
  for (const Step& step : steps) {
    const Flow* const victim = victim_of(step);
    if (step.scenario != Scenario::victim || victim == nullptr) continue;
    if (!void_because(step).empty()) continue;
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

}  // namespace railgauge::congestion
