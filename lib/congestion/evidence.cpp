#include "congestion/evidence.hpp"

#include <algorithm>
#include <utility>

#include "congestion/verdict.hpp"
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

std::uint64_t positive(std::int64_t count) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
}

}  // namespace

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

Evidence observed_by(Observer observer, std::string metric, std::string unit,
                     std::optional<double> observed, std::optional<double> expected,
                     std::string from) {
  return {.metric = std::move(metric),
          .unit = std::move(unit),
          .observed = observed,
          .expected = expected,
          .expected_from = std::move(from),
          .text = "observed by: " + std::string(word(observer))};
}

std::string frames(std::int64_t count, std::string_view what) {
  return finding::counted(positive(count), what);
}

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

Location receiver_of(Steps steps) {
  for (const Step* const step : steps) {
    for (const Flow* const flow : rivals(*step)) return port(flow->to, Direction::receive);
  }
  return {};
}

Observer observer_of(Steps steps) {
  const bool asked =
      std::ranges::any_of(steps, [](const Step* step) { return switches_know_all(*step); });
  return asked ? Observer::network_switch : Observer::nic;
}

void excuse(Finding& finding, Steps steps) {
  double least = 1;
  for (const Step* const step : steps) {
    for (const Flow& flow : step->flows) least = std::min(least, flow.cpu_share);
  }
  if (measure::had_full_share(least)) return;
  finding.certainty = Certainty::possible;
  finding.excuses.push_back(measure::cpu_share_text(least));
}

}  // namespace railgauge::congestion
