#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
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
using finding::Direction;
using finding::Finding;
using finding::Scope;
using finding::Severity;

constexpr double kPartsOfWindow = 8;

std::int64_t packets_of(const Sample& sample, bool sent) {
  return sent ? sample.packets_sent : sample.packets_received;
}

/// From the end of the first sample with packets to the beginning of the last.
struct Active {
  double begin_s = std::numeric_limits<double>::infinity();
  double end_s = -std::numeric_limits<double>::infinity();
};

Active active(const PortSeries& port, bool sent) {
  Active time;
  for (const Sample& sample : port.samples) {
    if (packets_of(sample, sent) <= 0) continue;
    time.begin_s = std::min(time.begin_s, sample.end_s);
    time.end_s = std::max(time.end_s, sample.begin_s);
  }
  return time;
}

/// A flow and the port that counts it.
struct Counted {
  const Flow* flow = nullptr;
  const PortSeries* port = nullptr;
};

std::vector<Counted> counted_flows(const Step& step, finding::Endpoint Flow::*end) {
  std::vector<Counted> all;
  for (const Flow* const flow : rivals(step)) {
    if (const PortSeries* const port = port_of(step, flow->*end)) all.push_back({flow, port});
  }
  return all;
}

double sum_between(const std::vector<Counted>& flows, bool sent, double begin_s, double end_s) {
  double sum = 0;
  for (const Counted& one : flows) sum += packets_between(*one.port, sent, begin_s, end_s);
  return sum;
}

/// Who is furthest from the mean in that time, by the factor, and which part of it that flow has.
std::pair<const Flow*, double> furthest(const std::vector<Counted>& flows, double begin_s,
                                        double end_s) {
  const double mean = sum_between(flows, true, begin_s, end_s) / static_cast<double>(flows.size());
  std::pair<const Flow*, double> most{flows.front().flow, 1};
  for (const Counted& one : flows) {
    const double share = mean > 0 ? packets_between(*one.port, true, begin_s, end_s) / mean : 0;
    if (std::abs(std::log(share)) > std::abs(std::log(most.second))) most = {one.flow, share};
  }
  return most;
}

std::vector<Figure> seconds_of(const char* metric, double seconds, double window_s) {
  return {{.metric = metric,
           .unit = "s",
           .value = seconds,
           .expected_from = "packets of " + finding::number(window_s, "s")}};
}

}  // namespace

double settled_gbps(const Step& step, const Flow& flow) {
  const PortSeries* const port = port_of(step, flow.to);
  if (port == nullptr) return flow.gbps;
  const auto receives = [](const Sample& sample) { return sample.packets_received > 0; };
  const auto first = std::ranges::find_if(port->samples, receives);
  const auto last = std::find_if(port->samples.rbegin(), port->samples.rend(), receives);
  if (first == port->samples.end()) return flow.gbps;
  const double middle_s = (first->begin_s + last->end_s) / 2;
  const double all = packets_between(*port, false, first->begin_s, last->end_s);
  return flow.gbps * 2 * packets_between(*port, false, middle_s, last->end_s) / all;
}

double packets_between(const PortSeries& port, bool sent, double begin_s, double end_s) {
  double packets = 0;
  for (const Sample& sample : port.samples) {
    const double common = std::min(end_s, sample.end_s) - std::max(begin_s, sample.begin_s);
    const double length = sample.end_s - sample.begin_s;
    if (common > 0 && length > 0)
      packets += static_cast<double>(packets_of(sample, sent)) * common / length;
  }
  return packets;
}

std::optional<Convergence> convergence_of(const Step& step) {
  const std::vector<Counted> flows = counted_flows(step, &Flow::from);
  if (flows.size() < 2) return std::nullopt;
  double begin_s = -std::numeric_limits<double>::infinity();
  double end_s = std::numeric_limits<double>::infinity();
  for (const Counted& one : flows) {
    const Active time = active(*one.port, true);
    if (one.flow->late) begin_s = std::max(begin_s, time.begin_s);
    end_s = std::min(end_s, time.end_s);
  }
  const double packets = sum_between(flows, true, begin_s, end_s);
  if (!(end_s > begin_s) || packets <= 0) return std::nullopt;
  const double all = kPacketsOfShare * static_cast<double>(flows.size());
  Convergence found{.window_s = all * (end_s - begin_s) / packets};
  if (2 * found.window_s > end_s - begin_s) return std::nullopt;
  std::tie(found.furthest, found.share) = furthest(flows, end_s - found.window_s, end_s);
  for (double at = begin_s; at + found.window_s <= end_s; at += found.window_s / kPartsOfWindow) {
    const double share = furthest(flows, at, at + found.window_s).second;
    if (std::abs(share - 1) > kConvergedWithin) continue;
    found.seconds = at - begin_s;
    break;
  }
  return found;
}

std::optional<Recovery> recovery_of(const Step& step) {
  const std::vector<Counted> flows = counted_flows(step, &Flow::to);
  if (!step.broken_at_s || flows.empty()) return std::nullopt;
  const double broken_s = *step.broken_at_s;
  double begin_s = -std::numeric_limits<double>::infinity();
  double end_s = begin_s;
  for (const Counted& one : flows) {
    const Active time = active(*one.port, false);
    begin_s = std::max(begin_s, time.begin_s);
    end_s = std::max(end_s, time.end_s);
  }
  const double before = sum_between(flows, false, begin_s, broken_s) / (broken_s - begin_s);
  if (!(broken_s > begin_s) || !(before > 0)) return std::nullopt;
  Recovery found{.window_s = kPacketsOfShare / before};
  if (begin_s + found.window_s > broken_s) return std::nullopt;
  const auto is_low = [&](double at) {
    return sum_between(flows, false, at, at + found.window_s) <
           kLeastRecovered * before * found.window_s;
  };
  bool was_low = false;
  constexpr double kNever = std::numeric_limits<double>::infinity();
  double since = kNever;  // its rate is back
  double at = broken_s;
  for (; at + found.window_s <= end_s; at += found.window_s / kPartsOfWindow) {
    const bool low = is_low(at);
    was_low |= low;
    since = std::min(since, at);
    if (low) since = kNever;
    if (was_low && at - since >= found.window_s) break;
  }
  if (since < kNever) found.seconds = was_low ? since - broken_s : 0;
  const double until_s = std::max(at, broken_s + found.window_s);
  for (const Counted& one : flows) {
    const double own = packets_between(*one.port, false, begin_s, broken_s) / (broken_s - begin_s);
    const double width = kPacketsOfShare / static_cast<double>(flows.size()) / own;
    bool less = !one.flow->reason.empty();
    for (double from = broken_s; !less && from + width <= until_s; from += width / 2)
      less = packets_between(*one.port, false, from, from + width) < own * width / 2;
    if (less) found.affected.push_back(one.flow);
  }
  return found;
}

std::string too_short(const Step& step) {
  if (step.scenario == Scenario::convergence && !convergence_of(step))
    return "too few packets were counted to tell shares; use a longer --step-time";
  if (step.scenario == Scenario::failure && !recovery_of(step))
    return "too few packets were counted before the link was broken; use a longer --step-time";
  return "";
}

std::vector<Figure> figures_of_convergence(const Step& step) {
  const auto found = convergence_of(step);
  if (!found || !found->seconds) return {};
  return seconds_of(kFairAfter, *found->seconds, found->window_s);
}

std::vector<Figure> figures_of_failure(const Step& step) {
  const auto found = recovery_of(step);
  if (!found) return {};
  std::vector<Figure> figures;
  if (found->seconds) figures = seconds_of(kRecovery, *found->seconds, found->window_s);
  figures.push_back(
      {.metric = kAffected, .unit = "flows", .value = static_cast<double>(found->affected.size())});
  return figures;
}

std::vector<Finding> of_convergence(std::span<const Step> steps) {
  for (const Step* const step : valid(steps, Scenario::convergence)) {
    const auto seen = convergence_of(*step);
    if (!seen || seen->seconds) continue;
    Finding finding =
        found(Cause::bandwidth, port(seen->furthest->from, Direction::transmit),
              "flows do not come to fair shares (" + step->name + "): at the end the sender has " +
                  finding::percent(seen->share) + " of its share",
              "compare rate, ECN and DCQCN settings of the senders");
    if (std::abs(seen->share - 1) < kMostUnfair) finding.severity = Severity::warning;
    finding.evidence.push_back(
        observed_by(Observer::nic, "part of the fair share", "", seen->share, 1,
                    "equal shares, over " + finding::number(seen->window_s, "s")));
    excuse(finding, std::array{step});
    return {std::move(finding)};
  }
  return {};
}

std::vector<Finding> of_failure(std::span<const Step> steps) {
  for (const Step* const step : valid(steps, Scenario::failure)) {
    const auto seen = recovery_of(*step);
    if (!seen || (seen->seconds && *seen->seconds <= kMostRecoverySeconds)) continue;
    const Flow& flow = seen->affected.empty() ? step->flows.front() : *seen->affected.front();
    Finding finding = found(
        Cause::link_down, {.scope = Scope::path, .at = flow.from, .peer = flow.to},
        seen->seconds ? "traffic was back " + finding::number(*seen->seconds, "s") +
                            " after a link was broken"
                      : "traffic was not back until the end after a link was broken",
        "check that switches take a dead link from their routes (BFD, fast external failover)");
    if (seen->seconds) finding.severity = Severity::warning;
    finding.evidence.push_back(observed_by(Observer::nic, kAffected, "", seen->affected.size(), 0,
                                           "a fabric that goes around the link"));
    excuse(finding, std::array{step});
    return {std::move(finding)};
  }
  return {};
}

}  // namespace railgauge::congestion
