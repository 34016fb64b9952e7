#include "soak/finding_list.hpp"

#include <algorithm>
#include <cmath>

namespace railgauge::soak {
namespace {

using finding::Evidence;
using finding::Finding;
using finding::TimeWindow;

bool same(const Finding& one, const Finding& other) {
  return one.cause == other.cause && one.where == other.where &&
         one.alternatives == other.alternatives;
}

double difference(const Evidence& evidence) {
  return std::abs(*evidence.observed - evidence.expected.value_or(0));
}

bool is_worse(const Evidence& one, const Evidence& other) {
  if (one.unit != other.unit) return one.unit == "ms";  // else us
  return difference(one) > difference(other);
}

/// What has no unit is a count.
void merge(Evidence& evidence, const Evidence& more) {
  for (const auto& [name, by] : more.counters) evidence.counters[name] += by;
  if (!evidence.observed || !more.observed) return;
  if (evidence.unit.empty() && more.unit.empty()) {
    *evidence.observed += *more.observed;
  } else if (is_worse(more, evidence)) {
    evidence.observed = more.observed;
    evidence.expected = more.expected;
    evidence.unit = more.unit;
  }
}

void merge(TimeWindow& when, const TimeWindow& more) {
  when.begin = std::min(when.begin, more.begin);
  when.end = std::max(when.end, more.end);
  when.window = std::min(when.window, more.window);
  when.count += more.count;
}

void merge(Finding& finding, const Finding& more) {
  finding.severity = std::max(finding.severity, more.severity);
  finding.certainty = std::max(finding.certainty, more.certainty);
  if (finding.when && more.when) merge(*finding.when, *more.when);
  for (const Evidence& one : more.evidence) {
    const auto like = std::ranges::find(finding.evidence, one.metric, &Evidence::metric);
    if (like != finding.evidence.end()) merge(*like, one);
  }
}

}  // namespace

void FindingList::add(const Finding& finding) {
  const auto before =
      std::ranges::find_if(findings_, [&](const Finding& one) { return same(one, finding); });
  if (before != findings_.end()) {
    merge(*before, finding);
    return;
  }
  make_room(finding.severity);
  if (findings_.size() < most_) findings_.push_back(finding);
}

/// The last that is no error makes room for one.
void FindingList::make_room(finding::Severity severity) {
  if (findings_.size() < most_ || severity != finding::Severity::error) return;
  const auto last = std::find_if(findings_.rbegin(), findings_.rend(), [](const Finding& one) {
    return one.severity != finding::Severity::error;
  });
  if (last != findings_.rend()) findings_.erase(std::next(last).base());
}

}  // namespace railgauge::soak
