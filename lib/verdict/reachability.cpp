#include "verdict/comparison.hpp"

#include <map>
#include <tuple>

#include "measure/ran_share.hpp"

namespace railgauge::verdict {
namespace {

using results::Endpoint;
using results::ReachabilityBody;
using results::ReachabilityRow;

constexpr const char* kFabric = "fabric";

std::string counted(std::size_t number, const std::string& of) {
  return std::to_string(number) + " " + of + (number == 1 ? "" : "s");
}

Findings about_fabric(const ReachabilityBody& body) {
  Findings all;
  for (const std::string& text : body.findings) {
    all.push_back(
        {.criterion = kFabric, .subject = Subject::path, .verdict = Verdict::fail, .remark = text});
  }
  for (const std::string& text : body.doubts) {
    all.push_back({.criterion = kFabric,
                   .subject = Subject::path,
                   .verdict = Verdict::no_reference,
                   .remark = text});
  }
  if (all.empty() && !body.rows.empty()) {
    all.push_back({.criterion = kFabric,
                   .subject = Subject::path,
                   .verdict = Verdict::pass,
                   .remark = "nothing wrong with " + counted(body.rows.size(), "path")});
  }
  return all;
}

/// A path is the same as long as its ends are the same planes of the same rails of the same hosts.
using Path = std::tuple<std::string, int, int, std::string, int, int>;

Path path_of(const ReachabilityRow& row) {
  return {row.from.host, row.from.rail, row.from.plane, row.to.host, row.to.rail, row.to.plane};
}

std::string name_of(const Endpoint& end) {
  return end.host + " rail " + std::to_string(end.rail);
}

/// The paths of a result, one by one compared with those of a baseline.
class PathComparison {
 public:
  PathComparison(std::string criterion, const ReachabilityBody& theirs, double tolerance)
      : criterion_(std::move(criterion)), tolerance_(tolerance) {
    for (const ReachabilityRow& row : theirs.rows) theirs_.emplace(path_of(row), &row);
  }

  Findings findings(const ReachabilityBody& ours) {
    for (const ReachabilityRow& row : ours.rows) compare(row);
    if (good_ > 0) {
      // Not all are known: then these are no answer.
      summarize(excused_ > 0 ? Verdict::note : Verdict::pass,
                counted(good_, "path") + " as good as in the baseline");
    }
    if (new_ > 0) summarize(Verdict::no_reference, counted(new_, "path") + " not in the baseline");
    if (!theirs_.empty()) {
      summarize(Verdict::note, counted(theirs_.size(), "path") + " of the baseline not tested");
    }
    return std::move(findings_);
  }

 private:
  void compare(const ReachabilityRow& ours) {
    const auto found = theirs_.find(path_of(ours));
    if (found == theirs_.end()) {
      ++new_;
      return;
    }
    judge(ours, *found->second);
    theirs_.erase(found);
  }

  void judge(const ReachabilityRow& ours, const ReachabilityRow& theirs) {
    const double before = theirs.gigabytes_per_second.value_or(0);
    const double now = ours.gigabytes_per_second.value_or(0);
    const bool lost = theirs.reached && !ours.reached;
    if (!lost && now >= (1 - tolerance_) * before) {
      ++good_;
      return;
    }
    const bool excused =
        !lost && measure::rate_in_all_the_time(now, ours.ran_share) >= (1 - tolerance_) * before;
    Finding finding = summary(excused ? Verdict::no_reference : Verdict::fail, "");
    finding.setting = name_of(ours.from) + " to " + name_of(ours.to);
    finding.unit = "GB/s";
    finding.theirs = before;
    if (ours.reached) finding.ours = now;
    if (before > 0) finding.ratio = now / before;
    finding.remark = lost ? "not reached any more: " + ours.reason : "slower than the baseline";
    if (excused) {
      ++excused_;
      finding.remark += ", but " + measure::ran_text(ours.ran_share);
    }
    findings_.push_back(finding);
  }

  [[nodiscard]] Finding summary(Verdict verdict, const std::string& remark) const {
    return {
        .criterion = criterion_, .subject = Subject::path, .verdict = verdict, .remark = remark};
  }

  void summarize(Verdict verdict, const std::string& remark) {
    findings_.push_back(summary(verdict, remark));
  }

  std::string criterion_;
  double tolerance_;
  std::map<Path, const ReachabilityRow*> theirs_;  // that were not compared yet
  std::size_t good_ = 0;
  std::size_t excused_ = 0;  // slower than then, and perhaps only held up
  std::size_t new_ = 0;
  Findings findings_;
};

Findings against(const RunSet& baseline, const ReachabilityBody& body, double tolerance) {
  const std::string criterion = "baseline " + baseline.name;
  if (!baseline.reachability) {
    return {no_answer(criterion, "the baseline is no result of a reachability test")};
  }
  return PathComparison(criterion, *baseline.reachability, tolerance).findings(body);
}

}  // namespace

Findings of_reachability(const ReachabilityBody& body, const Criteria& criteria) {
  constexpr const char* kWhy = "a reachability test has no bandwidth of a collective";
  Findings all = about_fabric(body);
  for (const Reference& reference : criteria.references) {
    all.push_back(no_answer("reference " + reference.name, kWhy));
  }
  if (criteria.line_rate) all.push_back(no_answer("line rate", kWhy));
  for (const RunSet& baseline : criteria.baselines) {
    append(all, against(baseline, body, criteria.terms.tolerance));
  }
  for (const Policy& policy : criteria.policies) {
    all.push_back(no_answer("policy " + policy.name, kWhy));
  }
  return all;
}

}  // namespace railgauge::verdict
