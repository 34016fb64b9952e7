#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string>

#include "congestion/evidence.hpp"
#include "congestion/figures.hpp"
#include "congestion/findings.hpp"
#include "congestion/rates.hpp"
#include "congestion/verdict.hpp"
#include "finding/words.hpp"

namespace railgauge::congestion {
namespace {

using finding::Cause;
using finding::Certainty;
using finding::Finding;
using finding::Location;
using finding::Scope;
using finding::Severity;

constexpr double kMicrosecondsOfSecond = 1e6;

/// The probe of each of these steps, so far.
struct Probes {
  const Flow* alone = nullptr;
  const Flow* same = nullptr;   // class
  const Flow* other = nullptr;  // class
  const Step* step = nullptr;   // of `other`
};

Probes probes_of(std::span<const Step> steps) {
  Probes probes;
  for (const Step* const step : valid(steps, Scenario::classes)) {
    const Flow* const probe = victim_of(*step);
    if (probe == nullptr) continue;
    const auto bulk = rivals(*step);
    if (bulk.empty()) {
      probes.alone = probe;
    } else if (bulk.front()->other_class) {
      probes.other = probe;
      probes.step = step;
    } else {
      probes.same = probe;
    }
  }
  return probes;
}

double sent_by_all(const Step& step) {
  return std::accumulate(
      step.flows.begin(), step.flows.end(), 0.0,
      [&](double sum, const Flow& flow) { return sum + settled_gbps(step, flow); });
}

/// What NICs could send over what arrives; 0: nothing does.
double ratio_of(const Step& step) {
  const double arrives = sent_by_all(step);
  return arrives > 0 ? static_cast<double>(step.flows.size()) * step.line_gbps / arrives : 0;
}

std::int64_t losses_of(const Step& step) {
  const std::array all{&step};
  return seen_in(all).losses.count;
}

/// The largest burst up to the first that was dropped, and that one.
struct Bursts {
  const Step* absorbed = nullptr;
  const Step* dropped = nullptr;
};

Bursts bursts_of(std::span<const Step> steps) {
  Bursts bursts;
  for (const Step* const step : valid(steps, Scenario::burst)) {
    if (losses_of(*step) > 0) {
      bursts.dropped = step;
      return bursts;
    }
    bursts.absorbed = step;
  }
  return bursts;
}

/// The link that dropped most, as switches say; else the receiver.
Location dropping_place(const Step& step) {
  std::int64_t most = 0;
  Location where = receiver_of(std::array{&step});
  for (const LinkSeries& link : step.links) {
    if (link.priority == kEveryPriority) continue;
    if (drops_on(link) <= most) continue;
    most = drops_on(link);
    where = {.scope = Scope::link, .switches = {link.from, link.to}};
  }
  return where;
}

}  // namespace

std::vector<Figure> figures_of_classes(std::span<const Step> steps) {
  const Probes probes = probes_of(steps);
  const Flow* const probe = victim_of(steps.back());
  if (probe == nullptr) return {};
  Figure figure{
      .metric = kProbeTime, .unit = "us", .value = kMicrosecondsOfSecond * probe->median_message_s};
  if (probes.alone != nullptr && probes.alone != probe) {
    figure.expected = kMicrosecondsOfSecond * probes.alone->median_message_s;
    figure.expected_from = "the probe alone";
  }
  return {figure};
}

std::vector<Finding> of_separation(std::span<const Step> steps) {
  constexpr double kDelayed = 2;
  const Probes probes = probes_of(steps);
  if (probes.alone == nullptr || probes.same == nullptr || probes.other == nullptr) return {};
  const double alone = probes.alone->median_message_s;
  const double same = probes.same->median_message_s;
  const double other = probes.other->median_message_s;
  if (same < kDelayed * alone || same - other >= kLeastSeparation * (same - alone)) return {};
  Finding finding = found(
      Cause::roce_setting,
      {.scope = Scope::path, .at = probes.other->from, .peer = probes.other->to},
      "bulk of another traffic class delays a small flow as bulk of its own class does",
      "compare the DSCP to priority map of all switches on the path, and check that both classes "
      "have queues of their own");
  const auto add = [&](double seconds, const char* from) {
    finding.evidence.push_back(observed_by(Observer::nic, "median message time", "us",
                                           kMicrosecondsOfSecond * other,
                                           kMicrosecondsOfSecond * seconds, from));
  };
  add(alone, "the probe alone");
  add(same, "next to bulk of its own class");
  excuse(finding, std::array{probes.step});
  return {std::move(finding)};
}

std::vector<Figure> figures_of_oversubscription(const Step& step) {
  const double ratio = ratio_of(step);
  if (ratio <= 0) return {};
  return {{.metric = kOversubscription, .value = ratio}};
}

std::vector<Finding> of_oversubscription(std::span<const Step> steps, const Policy& policy) {
  const std::vector<const Step*> tested = valid(steps, Scenario::oversubscription);
  if (tested.empty()) return {};
  const Step& last = *tested.back();
  const double ratio = ratio_of(last);
  const bool is_designed = policy.oversubscription > 0;
  const double most = (is_designed ? policy.oversubscription : 1) / kLeastPredicted;
  if (ratio <= most) return {};
  Finding finding =
      found(Cause::bandwidth, {},
            "the fabric carries 1/" + finding::number(ratio) + " of what " + last.name + " sends",
            is_designed ? "check for links and spines that are down or slow"
                        : "compare with the design (--oversubscription)");
  if (!is_designed) finding.severity = Severity::info;
  finding.evidence.push_back(observed_by(Observer::derived, kOversubscription, "", ratio,
                                         is_designed ? policy.oversubscription : 1,
                                         is_designed ? "--oversubscription" : "no design"));
  excuse(finding, std::array{&last});
  return {std::move(finding)};
}

std::vector<Figure> figures_of_bursts(std::span<const Step> steps) {
  const Bursts bursts = bursts_of(steps);
  return {{.metric = kLargestBurst,
           .unit = "bytes",
           .value = bursts.absorbed != nullptr ? bursts.absorbed->burst_bytes : 0}};
}

std::vector<Finding> of_bursts(std::span<const Step> steps) {
  const Bursts bursts = bursts_of(steps);
  if (bursts.dropped == nullptr) return {};
  const Step& step = *bursts.dropped;
  Finding finding =
      found(Cause::packet_loss, dropping_place(step),
            "a burst of " + finding::number(step.burst_bytes, "bytes") + " from each of " +
                finding::counted(step.flows.size(), "sender") + " is dropped; " +
                (bursts.absorbed != nullptr
                     ? finding::number(bursts.absorbed->burst_bytes, "bytes") + " are not"
                     : "a smaller one was not tested"),
            "make the class lossless (PFC), or give it more buffer");
  finding.certainty = switches_know_all(step) ? Certainty::confirmed : Certainty::likely;
  finding.evidence.push_back(observed_by(observer_of(std::array{&step}), "dropped packets",
                                         "packets", losses_of(step), 0, "a lossless class"));
  return {std::move(finding)};
}

}  // namespace railgauge::congestion
