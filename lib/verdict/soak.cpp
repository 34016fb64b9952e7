#include <algorithm>
#include <array>
#include <cstdio>

#include "verdict/comparison.hpp"

namespace railgauge::verdict {
namespace {

using results::SoakBody;
using results::SoakEventKind;
using results::SoakRow;
using results::SoakVerdict;

constexpr const char* kSoak = "soak";

Verdict verdict_of(const SoakBody& body) {
  switch (body.judgement.verdict) {
    case SoakVerdict::pass: return Verdict::pass;
    case SoakVerdict::fail: return Verdict::fail;
    case SoakVerdict::inconclusive: break;
  }
  return Verdict::inconclusive;
}

/// What it says of itself, with all reasons: one alone may not be why it failed.
Findings about_itself(const SoakBody& body) {
  std::string reasons;
  for (const std::string& reason : body.judgement.reasons) {
    reasons += (reasons.empty() ? "" : "; ") + reason;
  }
  return {{.criterion = kSoak, .verdict = verdict_of(body), .remark = reasons}};
}

std::string in_words(const std::vector<unsigned>& rails) {
  std::string text;
  for (const unsigned rail : rails) text += (text.empty() ? "" : "+") + std::to_string(rail);
  return "rails " + text;
}

/// A soak held to another of the same plan: what a phase takes, at the median and in the tail, and
/// what happens that did not happen then.
class SoakComparison {
 public:
  SoakComparison(std::string criterion, const SoakBody& ours, const SoakBody& theirs,
                 double tolerance)
      : criterion_(std::move(criterion)), ours_(ours), theirs_(theirs), tolerance_(tolerance) {}

  Findings findings() {
    for (const SoakRow& row : ours_.rows) compare(row);
    compare_events();
    compare_bounds();
    return std::move(findings_);
  }

 private:
  void compare(const SoakRow& ours) {
    const auto theirs = std::ranges::find(theirs_.rows, ours.phase, &SoakRow::phase);
    Finding finding = about(ours, Subject::size);
    if (theirs == theirs_.rows.end() || !(theirs->p50_us > 0) || !(ours.p50_us > 0)) {
      finding.remark = "the baseline has no such phase";
      findings_.push_back(finding);
      return;
    }
    judge(finding, ours.p50_us, theirs->p50_us, tolerance_);
    finding = about(ours, Subject::tail);
    finding.remark = "p99.9 of an iteration";
    constexpr double kOfTails = 0.25;  // they vary more than medians
    judge(finding, ours.p999_us, theirs->p999_us, std::max(tolerance_, kOfTails));
  }

  void judge(Finding finding, double ours, double theirs, double tolerance) {
    finding.unit = "us";
    finding.ours = ours;
    finding.theirs = theirs;
    if (theirs > 0 && ours > 0) {
      finding.ratio = theirs / ours;
      finding.verdict = ours > (1 + tolerance) * theirs ? Verdict::fail : Verdict::pass;
    }
    findings_.push_back(std::move(finding));
  }

  [[nodiscard]] Finding about(const SoakRow& row, Subject subject) const {
    return {.criterion = criterion_,
            .subject = subject,
            .setting = in_words(row.phase.rails),
            .collective = row.phase.collective,
            .algorithm = row.phase.algorithm,
            .size_bytes = row.phase.size_bytes};
  }

  /// Per window, since one may have lasted longer.
  void compare_events() {
    for (int number = 0; !word(static_cast<SoakEventKind>(number)).empty(); ++number) {
      const auto kind = static_cast<SoakEventKind>(number);
      const auto ours = std::ranges::count(ours_.events, kind, &results::SoakEvent::kind);
      const auto theirs = std::ranges::count(theirs_.events, kind, &results::SoakEvent::kind);
      if (ours == 0 && theirs == 0) continue;
      Finding finding{.criterion = criterion_,
                      .ours = static_cast<double>(ours),
                      .theirs = static_cast<double>(theirs),
                      .verdict = theirs == 0 ? Verdict::fail : Verdict::note};
      finding.remark = "events: " + std::string(word(kind)) +
                       (theirs == 0 ? ", which the baseline has not" : "");
      findings_.push_back(finding);
    }
  }

  void compare_bounds() {
    const auto& ours = ours_.judgement.bit_error_rate_bound;
    const auto& theirs = theirs_.judgement.bit_error_rate_bound;
    if (!ours || !theirs) return;
    std::array<char, 96> text{};
    std::snprintf(text.data(), text.size(), "bit error rate below %.2g, and below %.2g then", *ours,
                  *theirs);
    findings_.push_back({.criterion = criterion_, .verdict = Verdict::note, .remark = text.data()});
  }

  std::string criterion_;
  const SoakBody& ours_;
  const SoakBody& theirs_;
  double tolerance_;
  Findings findings_;
};

Findings against(const RunSet& baseline, const SoakBody& body, double tolerance) {
  const std::string criterion = "baseline " + baseline.name;
  if (!baseline.soak) return {no_answer(criterion, "the baseline is no soak")};
  return SoakComparison(criterion, body, *baseline.soak, tolerance).findings();
}

}  // namespace

Findings of_soak(const RunSet& run_set, const Criteria& criteria) {
  constexpr const char* kWhy = "a soak has no bandwidth over size";
  const SoakBody& body = *run_set.soak;
  Findings all = about_itself(body);
  if (!run_set.unfinished.empty()) {
    all.push_back({.criterion = kSoak, .verdict = Verdict::note, .remark = run_set.unfinished});
  }
  for (const Reference& reference : criteria.references) {
    all.push_back(no_answer("reference " + reference.name, kWhy));
  }
  if (criteria.line_rate) all.push_back(no_answer("line rate", kWhy));
  for (const RunSet& baseline : criteria.baselines) {
    append(all, against(baseline, body, criteria.terms.tolerance));
  }
  for (const Policy& policy : criteria.policies) append(all, against_policy(run_set, policy));
  return all;
}

}  // namespace railgauge::verdict
