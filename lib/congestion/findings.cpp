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
