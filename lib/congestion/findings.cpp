#include "congestion/findings.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "congestion/evidence.hpp"

namespace railgauge::congestion {
namespace {

using finding::Finding;

finding::Coverage coverage_of(std::span<const Step> steps, const Judged& judged) {
  finding::Coverage coverage{.check = kCheck};
  for (const Step& step : steps) {
    if (overloads(step.scenario) && !is_congested(step)) continue;
    ++coverage.planned;
    if (const std::string why = void_because(step); !why.empty()) {
      coverage.skipped.push_back(step.name + ": " + why);
    } else {
      ++coverage.tested;
    }
  }
  const bool is_void =
      judged.verdict == Verdict::unknown || judged.verdict == Verdict::no_congestion;
  const bool is_asked =
      std::ranges::any_of(steps, [](const Step& step) { return overloads(step.scenario); });
  if (!is_void || !is_asked) return coverage;
  coverage.planned = std::max<std::uint64_t>(coverage.planned, 1);
  coverage.tested = 0;
  coverage.skipped = {std::string(word(judged.verdict)) + ": " + judged.reason};
  return coverage;
}

void append(std::vector<Finding>& all, std::vector<Finding> more) {
  std::ranges::move(more, std::back_inserter(all));
}

}  // namespace

finding::Report report_of(std::span<const Step> steps, const Policy& policy) {
  const std::vector<const Step*> all = congested(steps);
  const Judged judged = judge(steps);
  std::vector<Finding> findings = of_verdict(all, judged, policy);
  append(findings, of_marks(steps));
  append(findings, of_notifications(all));
  append(findings, of_pauses(all));
  append(findings, of_classes(valid(steps)));
  for (const auto& of : {of_shares, of_host_pauses, of_victims, of_paths, of_separation})
    append(findings, of(steps));
  append(findings, of_oversubscription(steps, policy));
  for (const auto& of : {of_bursts, of_convergence, of_failure}) append(findings, of(steps));
  return {.findings = std::move(findings), .coverage = {coverage_of(steps, judged)}};
}

}  // namespace railgauge::congestion
