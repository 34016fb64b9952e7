#include "verdict/against.hpp"

#include <algorithm>

#include "measure/sizes.hpp"
#include "verdict/counter_limits.hpp"
#include "verdict/curve.hpp"
#include "verdict/line_rate.hpp"

namespace railgauge::verdict {
namespace {

constexpr double kPercent = 100;

bool is_about(const Rule& rule, const Run& run) {
  return (rule.collective.empty() || rule.collective == run.collective) &&
         (!rule.nodes || rule.nodes == run.nodes) &&
         (!rule.nics_per_node || rule.nics_per_node == run.nics_per_node) &&
         (!rule.line_rate_gigabits_per_second ||
          rule.line_rate_gigabits_per_second == run.line_rate_gigabits_per_second);
}

/// The points of a curve whose sizes a rule is about: those that it names, else those that count.
Curve sized(const Rule& rule, const std::optional<CountedSizes>& counted, Curve curve) {
  if (rule.from_bytes || rule.to_bytes) {
    return within(std::move(curve),
                  {rule.from_bytes.value_or(0), rule.to_bytes.value_or(UINT64_MAX)});
  }
  std::erase_if(curve.points, [&](const Point& point) {
    return counted && !counted->holds(point.size_bytes.value_or(0));
  });
  return curve;
}

/// One rule and one curve that it is about.
class Question {
 public:
  Question(const Policy& policy, const Rule& rule, const Run& run, const Curve& curve)
      : about_(about("policy " + policy.name, run, curve)),
        counted_(policy.counted),
        rule_(rule),
        run_(run),
        curve_(sized(rule, counted_, curve)) {
    about_.remark = rule.says;
  }

  Findings findings() {
    if (rule_.min_line_rate_percent) bandwidth(*rule_.min_line_rate_percent / kPercent);
    if (rule_.max_p999_over_p50) tail(*rule_.max_p999_over_p50, "times p50", times_median);
    if (rule_.max_p999_ms) tail(*rule_.max_p999_ms, "ms", milliseconds);
    if (rule_.max_dip_percent) dip(*rule_.max_dip_percent / kPercent);
    if (rule_.max_rail_imbalance_percent) rails(*rule_.max_rail_imbalance_percent);
    return std::move(findings_);
  }

 private:
  void bandwidth(double share) {
    const bool each = rule_.from_bytes || rule_.to_bytes;
    if (each) {
      for (const Point& point : curve_.points) size(point, share);
      return;
    }
    const Curve curve = counted_ ? within(curve_, counted_->bandwidth) : curve_;
    Finding finding = line_rate_finding(about_.criterion, run_, curve, share);
    finding.remark = finding.remark.empty() ? rule_.says : rule_.says + ": " + finding.remark;
    findings_.push_back(finding);
  }

  void size(const Point& point, double share) {
    Finding finding = about_;
    finding.subject = Subject::size;
    finding.algorithm = point.algorithm;
    finding.unit = "GB/s";
    finding.size_bytes = point.size_bytes;
    finding.ours = point.busbw_gigabytes_per_second;
    if (finding.ours) finding.ours_line_rate_fraction = line_rate_fraction(run_, *finding.ours);
    finding.theirs_line_rate_fraction = share;
    const std::string why = why_not_of_nics(run_);
    if (!finding.ours_line_rate_fraction) {
      finding.remark += ": bandwidth, NICs or line rate are not known";
    } else if (!why.empty()) {
      finding.remark += ": " + why;
    } else {
      finding.ratio = *finding.ours_line_rate_fraction / share;
      finding.verdict = *finding.ratio < 1 ? Verdict::fail : Verdict::pass;
      doubt(finding, run_, curve_);
    }
    findings_.push_back(finding);
  }

  /// Of the 99.9th percentile, in a unit: the worst size only, the others are no news.
  void tail(double most, std::string_view unit, double (*measure)(const Point&)) {
    if (curve_.points.empty()) return;
    Finding finding = about_;
    finding.subject = Subject::tail;
    finding.unit = unit;
    finding.theirs = most;
    for (const Point& point : curve_.points) {
      const double longer = point.p999_us ? measure(point) : 0;
      if (longer <= finding.ours.value_or(0)) continue;
      finding.ours = longer;
      finding.algorithm = point.algorithm;
      finding.size_bytes = point.size_bytes;
    }
    if (finding.ours) {
      finding.ratio = most / *finding.ours;
      finding.verdict = *finding.ours > most ? Verdict::fail : Verdict::pass;
    } else {
      finding.remark += ": the document has no p99.9";
    }
    findings_.push_back(finding);
  }

  static double times_median(const Point& point) {
    return *point.p999_us / point.time_us.value_or(0);
  }
  static double milliseconds(const Point& point) { return *point.p999_us / 1e3; }

  void dip(double most) {
    if (curve_.points.empty()) return;
    Finding finding = about_;
    finding.subject = Subject::dip;
    finding.verdict = Verdict::pass;
    const std::vector<Dip> dips = dips_of(curve_, most);
    if (!dips.empty()) {
      const Dip& first = dips.front();
      finding.algorithm = first.algorithm;
      finding.size_bytes = first.size_bytes;
      finding.unit = first.unit;
      finding.ours = first.value;
      finding.verdict = Verdict::fail;
      finding.remark += ": " + in_words(first) + "; " + std::to_string(dips.size()) +
                        (dips.size() == 1 ? " such size" : " such sizes");
    }
    findings_.push_back(finding);
  }

  /// Of a run on one rail there is nothing to ask.
  void rails(double most) {
    const Point* worst = most_out_of_balance(curve_);
    if (worst == nullptr) return;
    Finding finding = about_;
    finding.subject = Subject::rail;
    finding.algorithm = worst->algorithm;
    finding.size_bytes = worst->size_bytes;
    finding.unit = "% more";
    finding.ours = worst->slowest_rail->percent;
    finding.theirs = most;
    finding.verdict = *finding.ours > most ? Verdict::fail : Verdict::pass;
    finding.remark += ": " + in_words(*worst->slowest_rail);
    findings_.push_back(finding);
  }

  Finding about_;
  const std::optional<CountedSizes>& counted_;
  const Rule& rule_;
  const Run& run_;
  Curve curve_;
  Findings findings_{};
};

void ask_of_curve(const Policy& policy, const Run& run, const Curve& curve, Findings& all) {
  const std::string criterion = "policy " + policy.name;
  bool asked = false;
  for (const Rule& rule : policy.rules) {
    if (!is_about(rule, run)) continue;
    const Findings found = Question(policy, rule, run, curve).findings();
    append(all, found);
    asked = asked || !found.empty();
  }
  if (asked) return;
  Finding finding = about(criterion, run, curve);
  finding.subject = Subject::run;
  finding.remark = "no rule is about this collective on such NICs";
  all.push_back(finding);
}

/// To the rules of a policy for hardware software devices have no answer, whatever they do.
Findings of_software(const Policy& policy) {
  return {{.criterion = "policy " + policy.name,
           .subject = Subject::plateau,
           .remark = "its rules are for hardware, and these are software devices"}};
}

Finding counter(const std::string& criterion, const std::string& port, const std::string& name,
                std::int64_t moved) {
  Finding finding;
  finding.criterion = criterion;
  finding.subject = Subject::counter;
  finding.ours = static_cast<double>(moved);
  finding.theirs = 0;
  finding.verdict = moved == 0 ? Verdict::pass : Verdict::fail;
  finding.remark = port + " " + name;
  return finding;
}

void ask_of_counters(const RunSet& run_set, const Policy& policy, Findings& all) {
  if (policy.counters_that_stay.empty()) return;
  const std::string criterion = "policy " + policy.name;
  Finding summary = counter(criterion, "", "", 0);
  int counted = 0;
  for (const CounterDeltas& port : run_set.ports) {
    for (const std::string& name : policy.counters_that_stay) {
      const auto found = port.deltas.find(name);
      if (found == port.deltas.end()) continue;
      ++counted;
      if (found->second != 0) all.push_back(counter(criterion, port.port, name, found->second));
    }
  }
  const bool moved = std::ranges::any_of(all, [&](const Finding& finding) {
    return finding.subject == Subject::counter && finding.verdict == Verdict::fail;
  });
  if (moved) return;
  if (counted == 0) {
    summary.verdict = Verdict::no_reference;
    summary.ours.reset();
  }
  summary.remark = std::to_string(counted) + " counters that have to stay";
  all.push_back(summary);
}

void ask_of_planes(const RunSet& run_set, const Policy& policy, Findings& all) {
  if (!policy.all_planes) return;
  Finding finding{.criterion = "policy " + policy.name,
                  .subject = Subject::rail,
                  .verdict = Verdict::pass,
                  .remark = "every host has all planes of its rails"};
  for (const std::string& lost : run_set.lost_planes) {
    finding.verdict = Verdict::fail;
    finding.remark = lost;
    all.push_back(finding);
  }
  if (run_set.lost_planes.empty()) all.push_back(finding);
}

/// Of a collective; a result that knows nothing of connections leaves the question open.
void ask_who_is_blamed(const RunSet& run_set, const Policy& policy, Findings& all) {
  if (!policy.nobody_blamed || run_set.runs.empty()) return;
  Finding finding{.criterion = "policy " + policy.name,
                  .subject = Subject::path,
                  .verdict = run_set.knows_edges ? Verdict::pass : Verdict::no_reference,
                  .remark = run_set.knows_edges
                                ? "nobody stands out as slow or losing packets"
                                : "the result does not say how long single connections took"};
  if (run_set.blamed.empty()) all.push_back(finding);
  for (const results::Finding& one : run_set.blamed) {
    finding.verdict = Verdict::fail;
    finding.remark = one.text;
    all.push_back(finding);
  }
}

}  // namespace

Findings against_policy(const RunSet& run_set, const Policy& policy) {
  Findings all;
  if (policy.hardware_only && run_set.software) {
    all = of_software(policy);
  } else {
    for (const Run& run : run_set.runs) {
      for (const Curve& curve : curves_of(run)) ask_of_curve(policy, run, curve, all);
    }
  }
  append(all, against_counter_limits(run_set, policy));
  ask_of_counters(run_set, policy, all);
  ask_of_planes(run_set, policy, all);
  ask_who_is_blamed(run_set, policy, all);
  return all;
}

}  // namespace railgauge::verdict
