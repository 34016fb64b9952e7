#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "congestion/evidence.hpp"
#include "congestion/figures.hpp"
#include "congestion/findings.hpp"
#include "congestion/path_shares.hpp"
#include "congestion/verdict.hpp"
#include "finding/words.hpp"

namespace railgauge::congestion {
namespace {

using finding::Cause;
using finding::Evidence;
using finding::Finding;
using finding::Location;
using finding::Scope;
using finding::Severity;

/// A step of which all paths are known.
struct Predicted {
  const Step* step = nullptr;
  std::vector<double> fair{};
  std::vector<double> shares{};  // by paths

  [[nodiscard]] double least() const {
    double least = 1;
    for (std::size_t at = 0; at < fair.size(); ++at) least = std::min(least, shares[at] / fair[at]);
    return least;
  }
};

Location path_of(const Flow& flow) {
  return {.scope = Scope::path, .at = flow.from, .peer = flow.to};
}

Location place_of(const Link& link) {
  return {.scope = Scope::link, .switches = {link.first, link.second}};
}

Evidence share(const Step& step, const Slowest& slowest, std::string from) {
  return observed_by(Observer::nic, "bandwidth", "GB/s", slowest.flow->gbps,
                     slowest.could * step.line_gbps, std::move(from));
}

/// Links that flows with less than predicted pass in all steps, they or their acknowledgements, and
/// that no data pass as fast as predicted.
struct Slow {
  std::set<Link> common{};
  std::set<Link> good{};
  std::vector<std::pair<const Step*, Slowest>> flows{};
  std::size_t judged = 0;
};

std::set<Link> all_links(const std::vector<Path>& paths) {
  std::set<Link> links;
  for (const Path& path : paths) {
    for (Link& link : links_of(path)) links.insert(std::move(link));
  }
  return links;
}

/// A flow that shares no link that may be full, nor do its acknowledgements: else the others'
/// queues hold them up.
bool has_links_for_itself(const Step& step, const std::set<Link>& links,
                          const std::map<Link, double>& loads) {
  return std::ranges::all_of(links, [&](const Link& link) {
    const auto load = loads.find(link);
    return load == loads.end() || load->second <= std::max(1.0, rate_of(step, link));
  });
}

void add(Slow& slow, const Predicted& one) {
  const auto loads = link_loads(*one.step);
  for (std::size_t at = 0; at < one.step->flows.size(); ++at) {
    const Flow& flow = one.step->flows[at];
    std::set<Link> links = all_links(flow.paths);
    const double part = flow.gbps / (one.shares[at] * one.step->line_gbps);
    const bool is_slow = part < kLeastPredicted;
    if (!is_slow) slow.good.merge(std::set<Link>(links));
    links.merge(all_links(flow.back_paths));
    if (links.empty() || !has_links_for_itself(*one.step, links, loads)) continue;
    ++slow.judged;
    if (!is_slow) continue;
    if (slow.flows.empty()) {
      slow.common = std::move(links);
    } else {
      std::erase_if(slow.common, [&](const Link& link) { return !links.contains(link); });
    }
    slow.flows.push_back({one.step, {&flow, part, one.shares[at]}});
  }
}

/// No flow between switches had what was predicted, and nobody said what their links carry.
void excuse_by_design(Finding& finding) {
  finding.certainty = finding::Certainty::possible;
  finding.excuses.emplace_back(
      "no flow had the NICs' line rate between switches: their links may be slower by design; "
      "--topology tells their rates");
}

/// Flows that have less than their path predicts.
std::vector<Finding> of_slow_paths(const std::vector<Predicted>& steps) {
  Slow slow;
  for (const Predicted& one : steps) add(slow, one);
  if (slow.flows.empty()) return {};
  std::erase_if(slow.common, [&](const Link& link) { return slow.good.contains(link); });
  const auto worst =
      std::ranges::min_element(slow.flows, {}, [](const auto& one) { return one.second.share; });
  const auto& [step, least] = *worst;
  std::vector<Location> places;
  for (const Link& link : slow.common) places.push_back(place_of(link));
  if (places.empty()) places.push_back(path_of(*least.flow));
  Finding finding =
      found(Cause::bandwidth, places.front(),
            "a flow has " + finding::percent(least.share) + " of what its path predicts (" +
                std::string(word(step->scenario)) + ", " + step->name + ")",
            "check rate, errors and other traffic of the links on the path");
  finding.alternatives.assign(places.begin() + 1, places.end());
  finding.evidence.push_back(share(*step, least, "its path, with " + rates_from(*step)));
  finding.evidence.back().against = slow.flows.size();
  finding.evidence.back().counted = "flows";
  finding.evidence.back().of = slow.judged;
  excuse(finding, std::array{step});
  if (step->link_rates.empty() && slow.good.empty()) excuse_by_design(finding);
  return {std::move(finding)};
}

/// Flows that the fabric's hash puts onto the same link, of the step in which that costs most.
std::vector<Finding> of_collisions(const std::vector<Predicted>& steps) {
  const auto hashed = [](const Predicted& one) { return one.step->spread ? 2 : one.least(); };
  const auto worst = std::ranges::min_element(steps, {}, hashed);
  if (worst == steps.end() || hashed(*worst) >= kLeastFairShare) return {};
  const Step& step = *worst->step;
  const Slowest measured = slowest(step, worst->fair);
  if (measured.share >= kLeastFairShare) return {};  // the links are faster than NICs
  const auto loads = link_loads(step);
  const auto most = std::ranges::max_element(
      loads, {}, [&](const auto& one) { return one.second / rate_of(step, one.first); });
  Finding finding = found(
      Cause::congestion, place_of(most->first),
      finding::number(most->second) + " flows of " + std::string(word(step.scenario)) + ", " +
          step.name + " share the link by the fabric's hash, and the slowest flow has " +
          finding::percent(measured.share) +
          " of its fair share (predicted: " + finding::percent(worst->least()) + ")",
      "choose source ports by path (railgauge paths), use more queue pairs, or turn on adaptive "
      "routing");
  finding.severity = Severity::warning;
  for (const Predicted& one : steps) {
    if (!one.step->spread || one.step->queue_pairs != step.queue_pairs) continue;
    if (!one.step->name.starts_with(step.name)) continue;
    const Slowest spread = slowest(*one.step, one.fair);
    finding.evidence.push_back(observed_by(Observer::nic, kSlowestFlow, "", measured.share,
                                           spread.share, "the same flows, spread over paths"));
  }
  if (finding.evidence.empty())
    finding.evidence.push_back(share(step, measured, "fair share of the NICs"));
  excuse(finding, std::array{&step});
  return {std::move(finding)};
}

/// Of steps whose paths are not known.
std::vector<Finding> of_unknown_paths(const std::vector<const Step*>& steps) {
  const Step* worst = nullptr;
  Slowest least{.share = kLeastFairShare};
  for (const Step* const step : steps) {
    const Slowest now = slowest(*step, fair_shares(*step));
    if (now.flow == nullptr || now.share >= least.share) continue;
    worst = step;
    least = now;
  }
  if (worst == nullptr) return {};
  Finding finding =
      found(Cause::bandwidth, path_of(*least.flow),
            "the slowest flow has " + finding::percent(least.share) + " of its fair share (" +
                std::string(word(worst->scenario)) + ", " + worst->name +
                "), and the paths of flows are not known",
            "let switches reply to probes (ICMP), or compare more queue pairs: --qps 1,4,16");
  finding.severity = Severity::warning;
  finding.evidence.push_back(share(*worst, least, "fair share of the NICs"));
  excuse(finding, std::array{worst});
  return {std::move(finding)};
}

}  // namespace

std::vector<Finding> of_paths(std::span<const Step> steps) {
  std::vector<Predicted> known;
  std::vector<const Step*> unknown;
  for (const Step& step : steps) {
    const bool counts = fills_paths(step.scenario) && step.line_gbps > 0 && !step.flows.empty();
    if (!counts || !void_because(step).empty()) continue;
    if (auto shares = path_shares(step)) {
      known.push_back({&step, fair_shares(step), std::move(*shares)});
    } else {
      unknown.push_back(&step);
    }
  }
  std::vector<Finding> findings = of_slow_paths(known);
  for (auto more : {of_collisions(known), of_unknown_paths(unknown)})
    std::ranges::move(more, std::back_inserter(findings));
  return findings;
}

}  // namespace railgauge::congestion
