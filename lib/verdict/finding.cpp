#include "verdict/finding.hpp"

#include <algorithm>

namespace railgauge::verdict {

std::string_view word(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return "PASS";
    case Verdict::fail: return "FAIL";
    case Verdict::inconclusive: return "INCONCLUSIVE";
    case Verdict::no_reference: return "NO-REFERENCE";
    case Verdict::note: break;
  }
  return "note";
}

std::string_view word(Subject subject) {
  switch (subject) {
    case Subject::run: return "run";
    case Subject::size: return "size";
    case Subject::plateau: return "plateau";
    case Subject::latency: return "latency";
    case Subject::dip: return "dip";
    case Subject::rail: return "rail";
    case Subject::missing: return "missing";
    case Subject::tail: return "tail";
    case Subject::counter: return "counter";
    case Subject::path: return "path";
  }
  return "";
}

std::string in_words(Verdict verdict, bool software) {
  return std::string(word(verdict)) + (software ? " (SOFTWARE)" : "");
}

Finding no_answer(const std::string& criterion, const std::string& why) {
  return {.criterion = criterion, .verdict = Verdict::no_reference, .remark = why};
}

void append(Findings& all, const Findings& more) {
  all.insert(all.end(), more.begin(), more.end());
}

namespace {

/// Line rate or a policy asks for bandwidth, and nothing answers: that others have one is no pass.
/// Nor is it if a whole curve is slower than the baseline, and it cannot be told whether by chance.
bool is_open_demand(const Finding& finding) {
  const bool whole = finding.subject == Subject::plateau || finding.subject == Subject::latency;
  if (whole && finding.ratio && finding.criterion.starts_with("baseline ")) {
    return finding.verdict == Verdict::no_reference;
  }
  const bool bandwidth = finding.subject == Subject::plateau || finding.subject == Subject::size;
  return bandwidth && finding.verdict == Verdict::no_reference &&
         (finding.criterion == "line rate" || finding.criterion.starts_with("policy "));
}

}  // namespace

Verdict verdict_of(const Findings& findings, std::string_view criterion) {
  Verdict verdict = Verdict::note;
  bool open = false;
  for (const Finding& finding : findings) {
    if (finding.criterion != criterion) continue;
    verdict = std::max(verdict, finding.verdict);
    open = open || is_open_demand(finding);
  }
  return open && verdict == Verdict::pass ? Verdict::no_reference : verdict;
}

Verdict verdict_of(const Findings& findings) {
  Verdict verdict = Verdict::pass;
  for (const std::string& criterion : criteria_of(findings)) {
    verdict = worse(verdict, verdict_of(findings, criterion));
  }
  return verdict;
}

bool is_open(Verdict verdict) {
  return verdict == Verdict::no_reference || verdict == Verdict::inconclusive;
}

Verdict worse(Verdict one, Verdict other) {
  if (one == Verdict::note) return other;
  if (other == Verdict::note) return one;
  if (one == Verdict::fail || other == Verdict::fail) return Verdict::fail;
  return std::min(one, other);
}

std::vector<std::string> criteria_of(const Findings& findings) {
  std::vector<std::string> criteria;
  for (const Finding& finding : findings) {
    if (std::ranges::find(criteria, finding.criterion) == criteria.end()) {
      criteria.push_back(finding.criterion);
    }
  }
  return criteria;
}

}  // namespace railgauge::verdict
