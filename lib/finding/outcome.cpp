#include "finding/outcome.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "finding/ranking.hpp"
#include "finding/words.hpp"

namespace railgauge::finding {
namespace {

bool weighs(const Finding& finding, const Policy& policy) {
  const bool severe =
      finding.severity >= policy.fail_at ||
      (finding.severity == Severity::warning && policy.errors.contains(finding.cause));
  return severe && finding.certainty != Certainty::cleared && waiver_of(finding, policy).empty();
}

bool is_sure(const Finding& finding, const Policy& policy) {
  return finding.certainty >= policy.sure_at;
}

bool is_covered(const Coverage& coverage, const Policy& policy) {
  constexpr double kMost = 0.99;
  const auto has = [&](double share) {
    return static_cast<double>(coverage.tested) >= share * static_cast<double>(coverage.planned);
  };
  const bool enough = coverage.enough ? coverage.tested >= *coverage.enough : has(kMost);
  if (!policy.min_coverage) return enough;
  return has(*policy.min_coverage) && (enough || !policy.enough_too);
}

bool tested_nothing(const Report& report) {
  return std::ranges::none_of(report.coverage, [](const Coverage& one) { return one.tested > 0; });
}

bool lacks_coverage(const Report& report, const Policy& policy) {
  return tested_nothing(report) || !std::ranges::all_of(report.coverage, [&](const Coverage& one) {
           return is_covered(one, policy);
         });
}

std::vector<const Finding*> weighing(const Report& report, const Policy& policy, bool sure) {
  std::vector<const Finding*> found;
  for (const Finding& finding : report.findings) {
    if (weighs(finding, policy) && is_sure(finding, policy) == sure) found.push_back(&finding);
  }
  return found;
}

std::string gap_of(const Coverage& coverage) {
  const std::string text = coverage.check + ": tested " + std::to_string(coverage.tested) + " of " +
                           std::to_string(coverage.planned);
  return coverage.skipped.empty() ? text : text + ": " + joined(coverage.skipped, "; ");
}

std::vector<std::string> gaps(const Report& report, const Policy& policy) {
  std::vector<std::string> all;
  for (const Coverage& one : report.coverage) {
    if (!is_covered(one, policy)) all.push_back(gap_of(one));
  }
  if (all.empty() && tested_nothing(report)) all.emplace_back("nothing was tested");
  return all;
}

std::vector<Finding> ranked_copy(const std::vector<const Finding*>& findings) {
  std::vector<Finding> all;
  all.reserve(findings.size());
  for (const Finding* const finding : findings) all.push_back(*finding);
  return ranked(std::move(all));
}

template <class T>
void replace(std::vector<T>& all, std::vector<T> newer) {
  std::set<std::string> checks;
  for (const T& one : newer) checks.insert(one.check);
  std::erase_if(all, [&](const T& one) { return checks.contains(one.check); });
  std::ranges::move(newer, std::back_inserter(all));
}

}  // namespace

void replace_checks(Report& report, Report newer) {
  replace(report.findings, std::move(newer.findings));
  replace(report.coverage, std::move(newer.coverage));
}

std::string_view word(Outcome outcome) {
  return json::word_of<Outcome::inconclusive>(outcome, {"PASS", "FAIL", "INCONCLUSIVE"});
}

Policy strictest(Policy one, const Policy& other) {
  one.fail_at = std::min(one.fail_at, other.fail_at);
  one.sure_at = std::min(one.sure_at, other.sure_at);
  one.enough_too |= other.enough_too || !one.min_coverage || !other.min_coverage;
  one.min_coverage = std::max(one.min_coverage, other.min_coverage);
  one.errors.insert(other.errors.begin(), other.errors.end());
  one.waivers.insert(one.waivers.end(), other.waivers.begin(), other.waivers.end());
  return one;
}

std::string waiver_of(const Finding& finding, const Policy& policy) {
  if (!finding.waived.empty()) return finding.waived;
  const auto found = std::ranges::find_if(policy.waivers, [&](const Waiver& waiver) {
    return waiver.finding == id_of(finding) || waiver.finding == finding.check ||
           waiver.finding == word(finding.cause);
  });
  return found == policy.waivers.end() ? "" : found->reason;
}

Report with_waivers(Report report, const Policy& policy) {
  for (Finding& finding : report.findings) finding.waived = waiver_of(finding, policy);
  return report;
}

Outcome outcome(const Report& report, const Policy& policy) {
  if (!weighing(report, policy, true).empty()) return Outcome::fail;
  const bool open = !weighing(report, policy, false).empty() || lacks_coverage(report, policy);
  return open ? Outcome::inconclusive : Outcome::pass;
}

std::vector<const Finding*> deciding(const Report& report, const Policy& policy) {
  auto sure = weighing(report, policy, true);
  return sure.empty() ? weighing(report, policy, false) : sure;
}

std::vector<std::string> reasons(const Report& report, const Policy& policy) {
  std::vector<std::string> all;
  for (const Finding* const finding : deciding(report, policy)) all.push_back(sentence(*finding));
  if (outcome(report, policy) == Outcome::inconclusive)
    std::ranges::move(gaps(report, policy), std::back_inserter(all));
  return all;
}

std::string in_short(const Report& report, const Policy& policy) {
  const auto decide = deciding(report, policy);
  const Outcome found = outcome(report, policy);
  if (found == Outcome::pass) return "";
  if (decide.empty()) return joined(gaps(report, policy), "; ");
  return counted(decide.size(), found == Outcome::fail ? "finding" : "possible finding") + ": " +
         headline(ranked_copy(decide).front());
}

std::string drain_reason(const Report& report, const Policy& policy, std::size_t most) {
  if (outcome(report, policy) != Outcome::fail) return "";
  Report decide;
  for (const Finding* const finding : deciding(report, policy)) decide.findings.push_back(*finding);
  const auto causes = ranked(decide.findings);
  const Finding& first = causes.front();
  const std::string text =
      "railgauge: " + std::string(facts_of(first.cause).headline) + " on " + key_of(first.where);
  const std::string more =
      causes.size() > 1 ? ", +" + std::to_string(causes.size() - 1) + " more" : "";
  if (text.size() + more.size() <= most) return text + more;
  constexpr std::string_view kCut = "...";
  const std::size_t kept = kCut.size() + more.size();
  return text.substr(0, most > kept ? most - kept : 0).append(kCut) + more;
}

}  // namespace railgauge::finding
