#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "measure/ran_share.hpp"
#include "verdict/comparison.hpp"

namespace railgauge::verdict {
namespace {

using results::Endpoint;
using results::PairFigures;
using results::PairRow;
using results::PairsBody;
using results::PairVerdict;

constexpr const char* kPairs = "pairs";

std::string ways(std::size_t number) {
  return std::to_string(number) + " way" + (number == 1 ? "" : "s");
}

Findings about_pairs(const PairsBody& body) {
  Findings all;
  const auto add = [&](Verdict verdict, const std::string& remark) {
    all.push_back(
        {.criterion = kPairs, .subject = Subject::path, .verdict = verdict, .remark = remark});
  };
  for (const std::string& text : body.findings) add(Verdict::fail, text);
  const auto count = [&](PairVerdict verdict) {
    return static_cast<std::size_t>(std::ranges::count(body.rows, verdict, &PairRow::verdict));
  };
  const std::size_t unknown = count(PairVerdict::unknown);
  if (unknown > 0) add(Verdict::no_reference, "nothing can be said of " + ways(unknown));
  const std::size_t good = count(PairVerdict::pass);
  if (all.empty() && good > 0) add(Verdict::pass, "nothing wrong with " + ways(good));
  if (body.rows.size() < body.planned)
    add(Verdict::note, ways(body.planned - body.rows.size()) + " not measured");
  return all;
}

/// A way is the same as long as its ends are the same planes of the same rails of the same hosts.
using PairKey = std::tuple<std::string, std::string, int, int, std::string, int, int>;

PairKey key_of(const PairRow& row) {
  return {row.mode,    row.from.host, row.from.rail, row.from.plane,
          row.to.host, row.to.rail,   row.to.plane};
}

std::string nic_name(const Endpoint& end) {
  return end.host + " rail " + std::to_string(end.rail);
}

/// The share of durations that are not longer, from the quantiles of them.
double share_below(const std::vector<double>& quantiles, double time_us) {
  const auto below = std::ranges::upper_bound(quantiles, time_us) - quantiles.begin();
  return static_cast<double>(below) / static_cast<double>(quantiles.size() + 1);
}

/// The largest distance between two distributions: the statistic of Kolmogorov and Smirnov.
double distance(const std::vector<double>& ours, const std::vector<double>& theirs) {
  double largest = 0;
  for (const auto* times : {&ours, &theirs}) {
    for (const double time : *times)
      largest = std::max(largest, std::abs(share_below(ours, time) - share_below(theirs, time)));
  }
  return largest;
}

/// Whether chance, or what lies between two quantiles, does not explain the difference.
bool differ(const PairFigures& ours, const PairFigures& theirs) {
  constexpr double kOfOnePercent = 1.63;  // two samples, 1 %
  const auto n = static_cast<double>(ours.messages);
  const auto m = static_cast<double>(theirs.messages);
  if (ours.quantiles_us.empty() || theirs.quantiles_us.empty() || n * m == 0) return false;
  const double resolution = 1.0 / static_cast<double>(ours.quantiles_us.size() + 1);
  return distance(ours.quantiles_us, theirs.quantiles_us) >
         resolution + kOfOnePercent * std::sqrt((n + m) / (n * m));
}

/// Whether both are known, and are not the same.
bool takes_another_path(const PairRow& ours, const PairRow& theirs) {
  const auto told = results::PathLabel::told;
  return ours.path_label == told && theirs.path_label == told &&
         results::path_text(ours) != results::path_text(theirs);
}

/// The ways of a result, one by one compared with those of a baseline.
class PairsComparison {
 public:
  PairsComparison(std::string criterion, const PairsBody& theirs, double tolerance)
      : criterion_(std::move(criterion)), tolerance_(tolerance) {
    for (const PairRow& row : theirs.rows) theirs_.emplace(key_of(row), &row);
  }

  Findings findings(const PairsBody& ours) {
    for (const PairRow& row : ours.rows) compare(row);
    if (good_ > 0) {
      // Not all are known: then these are no answer.
      summarize(excused_ > 0 ? Verdict::note : Verdict::pass,
                ways(good_) + " as good as in the baseline");
    }
    if (new_ > 0) summarize(Verdict::no_reference, ways(new_) + " not in the baseline");
    if (moved_ > 0)
      summarize(Verdict::note, ways(moved_) + " over other switches than in the baseline");
    if (!theirs_.empty())
      summarize(Verdict::note, ways(theirs_.size()) + " of the baseline not measured");
    return std::move(findings_);
  }

 private:
  void compare(const PairRow& ours) {
    const auto found = theirs_.find(key_of(ours));
    if (found == theirs_.end() || !found->second->figures.reason.empty()) {
      ++new_;
    } else {
      judge(ours, *found->second);
    }
    if (found != theirs_.end()) theirs_.erase(found);
  }

  void judge(const PairRow& row, const PairRow& before) {
    const PairFigures& ours = row.figures;
    const PairFigures& theirs = before.figures;
    const bool moved = takes_another_path(row, before);
    moved_ += moved ? 1 : 0;
    Finding finding{.criterion = criterion_,
                    .subject = Subject::path,
                    .setting = nic_name(row.from) + " to " + nic_name(row.to) + ", " + row.mode,
                    .verdict = Verdict::fail};
    const bool fails = !ours.reason.empty()          ? does_not_work(finding, ours)
                       : theirs.gigabytes_per_second ? is_slower(finding, ours, theirs)
                                                     : is_later(finding, ours, theirs);
    if (fails) {
      if (const std::string excuse = excuse_of(ours, theirs); !excuse.empty()) {
        ++excused_;
        finding.verdict = Verdict::no_reference;
        finding.remark += ", but " + excuse;
      }
      if (moved)
        finding.remark +=
            "; over " + results::path_text(row) + ", then over " + results::path_text(before);
      findings_.push_back(std::move(finding));
    } else {
      ++good_;
    }
  }

  /// Why what is worse is perhaps not the way's doing; empty: it is.
  [[nodiscard]] std::string excuse_of(const PairFigures& ours, const PairFigures& theirs) const {
    if (!ours.held_up.empty() || !ours.gigabytes_per_second || !theirs.gigabytes_per_second)
      return ours.held_up;
    const double rate = measure::rate_in_all_the_time(*ours.gigabytes_per_second, ours.ran_share);
    const bool enough = rate >= (1 - tolerance_) * *theirs.gigabytes_per_second;
    return enough ? measure::ran_text(ours.ran_share) : "";
  }

  static bool does_not_work(Finding& finding, const PairFigures& ours) {
    finding.remark = "does not work any more: " + ours.reason;
    return true;
  }

  [[nodiscard]] bool is_slower(Finding& finding, const PairFigures& ours,
                               const PairFigures& theirs) const {
    const double before = *theirs.gigabytes_per_second;
    const double now = ours.gigabytes_per_second.value_or(0);
    finding.unit = "GB/s";
    finding.ours = now;
    finding.theirs = before;
    if (before > 0) finding.ratio = now / before;
    finding.remark = "slower than the baseline";
    return now < (1 - tolerance_) * before;
  }

  [[nodiscard]] bool is_later(Finding& finding, const PairFigures& ours,
                              const PairFigures& theirs) const {
    if (!ours.time || !theirs.time) return false;
    finding.unit = "us";
    finding.ours = ours.time->p50_us;
    finding.theirs = theirs.time->p50_us;
    if (ours.time->p50_us > 0) finding.ratio = theirs.time->p50_us / ours.time->p50_us;
    finding.remark = "longer latency than the baseline, and distributed otherwise";
    return ours.time->p50_us > (1 + tolerance_) * theirs.time->p50_us && differ(ours, theirs);
  }

  void summarize(Verdict verdict, const std::string& remark) {
    findings_.push_back(
        {.criterion = criterion_, .subject = Subject::path, .verdict = verdict, .remark = remark});
  }

  std::string criterion_;
  double tolerance_;
  std::map<PairKey, const PairRow*> theirs_;  // that were not compared yet
  std::size_t good_ = 0;
  std::size_t excused_ = 0;  // worse than then, and perhaps only held up
  std::size_t new_ = 0;
  std::size_t moved_ = 0;
  Findings findings_;
};

Finding unanswered(const std::string& criterion, const std::string& why) {
  return {.criterion = criterion, .verdict = Verdict::no_reference, .remark = why};
}

Findings against_pairs(const RunSet& baseline, const PairsBody& body, double tolerance) {
  const std::string criterion = "baseline " + baseline.name;
  if (!baseline.pairs) return {unanswered(criterion, "the baseline is no result of pairs_perf")};
  return PairsComparison(criterion, *baseline.pairs, tolerance).findings(body);
}

/// How many ways were held to it as they were measured, and why not the others.
std::string about_line_rate(const PairsBody& body, bool software) {
  if (software) return "software devices have no line rate that ways could be held to";
  const auto held = static_cast<std::size_t>(std::ranges::count_if(
      body.rows, [](const PairRow& row) { return row.figures.line_rate_percent.has_value(); }));
  if (held == body.rows.size()) return "every way was held to line rate when it was measured";
  return ways(held) + " of " + std::to_string(body.rows.size()) + (held == 1 ? " was" : " were") +
         " held to line rate when measured: the others have no bandwidth, or no line rate that is "
         "known";
}

}  // namespace

Findings of_pairs(const PairsBody& body, const Criteria& criteria, bool software) {
  constexpr const char* kWhy = "a test of pairs has no bandwidth of a collective";
  Findings all = about_pairs(body);
  for (const Reference& reference : criteria.references)
    all.push_back(unanswered("reference " + reference.name, kWhy));
  if (criteria.line_rate) all.push_back(unanswered("line rate", about_line_rate(body, software)));
  for (const RunSet& baseline : criteria.baselines)
    append(all, against_pairs(baseline, body, criteria.terms.tolerance));
  for (const Policy& policy : criteria.policies)
    all.push_back(unanswered("policy " + policy.name, kWhy));
  return all;
}

}  // namespace railgauge::verdict
