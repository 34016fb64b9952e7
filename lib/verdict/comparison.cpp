#include "verdict/comparison.hpp"

#include <algorithm>
#include <span>

#include "verdict/curve.hpp"
#include "verdict/line_rate.hpp"

namespace railgauge::verdict {
namespace {

Rows dips_of(const RunSet& run_set, double tolerance) {
  Rows rows;
  for (const Run& run : run_set.runs) {
    for (const Curve& curve : curves_of(run)) {
      for (const Dip& dip : dips_of(curve, tolerance)) {
        Row row = about("shape", run, curve);
        row.subject = Subject::dip;
        row.algorithm = dip.algorithm;
        row.size_bytes = dip.size_bytes;
        row.answer = Answer::note;
        row.unit = dip.unit;
        row.ours = dip.value;
        row.remark = in_words(dip);
        rows.push_back(row);
      }
    }
  }
  return rows;
}

/// Of a criterion that cannot be applied to this kind of result.
Row no_answer(const std::string& criterion, const std::string& why) {
  return {.criterion = criterion, .remark = why};
}

/// "a result of the kind pairs"; what was imported has none.
std::string kind_words(const RunSet& run_set) {
  return run_set.kind.empty() ? "a reference without runs" : "a result of the kind " + run_set.kind;
}

std::string why_no_curves(const RunSet& run_set) {
  return kind_words(run_set) + " has no bandwidth over size";
}

/// What the other side says of itself, if that is no pass.
void add_own(Rows& rows, const std::string& criterion, const std::string& whose,
             const std::optional<finding::Report>& own) {
  if (!own || outcome(*own) == finding::Outcome::pass) return;
  rows.push_back({.criterion = criterion,
                  .answer = Answer::note,
                  .remark = "the " + whose + " itself is " + std::string(word(outcome(*own))) +
                            ": " + in_short(*own),
                  .limits = true});
}

Rows against_any_baseline(const RunSet& ours, const RunSet& baseline, const Terms& terms) {
  const std::string criterion = "baseline " + baseline.name;
  if (ours.software != baseline.software)
    return {no_answer(criterion, std::string(ours.software ? "this result" : "the baseline") +
                                     " is of software devices, and the other is of hardware")};
  if (ours.hosts && baseline.hosts)
    return against_examination(*ours.hosts, *baseline.hosts, criterion);
  const bool keyed = ours.runs.empty();
  if (keyed && (ours.kind != baseline.kind || ours.keyed.empty()))
    return {no_answer(criterion, ours.keyed.empty() ? kind_words(ours) + " has no figures"
                                                    : "the baseline is not " + kind_words(ours))};
  Rows rows = keyed ? against_keyed(ours.keyed, baseline.keyed, criterion, terms.tolerance)
                    : against_baseline(ours, baseline, terms);
  add_own(rows, criterion, "baseline", baseline.report);
  return rows;
}

Rows against_any_reference(const RunSet& ours, const Reference& reference, const Terms& terms) {
  const std::string criterion = "reference " + reference.name;
  if (ours.runs.empty()) return {no_answer(criterion, why_no_curves(ours))};
  Rows rows = against_reference(ours, reference, terms);
  if (reference.ending) add_own(rows, criterion, "reference", report_of(*reference.ending));
  return rows;
}

Rows against_any_policy(const RunSet& run_set, const Policy& policy) {
  Rows rows = against_policy(run_set, policy);
  if (run_set.runs.empty() && !policy.rules.empty())
    rows.push_back(no_answer("policy " + policy.name, why_no_curves(run_set)));
  return rows;
}

Rows rows_of(const RunSet& run_set, const Criteria& criteria) {
  const bool curves = !run_set.runs.empty();
  Rows all;
  for (const Reference& reference : criteria.references) {
    append(all, against_any_reference(run_set, reference, criteria.terms));
  }
  if (criteria.line_rate)
    append(all, curves ? against_line_rate(run_set, kLineRateShare, criteria.terms.counted)
                       : Rows{no_answer("line rate", why_no_curves(run_set))});
  for (const RunSet& baseline : criteria.baselines)
    append(all, against_any_baseline(run_set, baseline, criteria.terms));
  for (const Policy& policy : criteria.policies) append(all, against_any_policy(run_set, policy));
  for (const Prediction& prediction : criteria.predictions)
    append(all, curves ? against_prediction(run_set, prediction, criteria.terms)
                       : Rows{no_answer("prediction " + prediction.name, why_no_curves(run_set))});
  return all;
}

/// No limit of its own makes the policies' stricter.
finding::Policy decides_of(const std::vector<Policy>& policies) {
  if (policies.empty()) return {};
  finding::Policy all = policies.front().decides;
  for (const Policy& one : std::span(policies).subspan(1))
    all = strictest(std::move(all), one.decides);
  return all;
}

/// Nothing in a log of another benchmark says where a fabric is slow.
void locate_by_measuring(finding::Report& report) {
  for (finding::Finding& found : report.findings) {
    if (found.remedy == kLocate)
      found.remedy = "measure it with railgauge, and locate it with railgauge diagnose";
  }
}

/// A part for each criterion, in the order of rows.
void add_parts(Judgement& judgement, const Rows& rows) {
  for (const Row& row : rows) {
    auto part = std::ranges::find(judgement.parts, row.criterion, &Part::criterion);
    if (part == judgement.parts.end())
      part = judgement.parts.insert(part, Part{.criterion = row.criterion});
    part->rows.push_back(row);
  }
}

}  // namespace

Judgement compared(const RunSet& run_set, const Criteria& criteria) {
  Judgement judgement{.result = run_set.name,
                      .policy = decides_of(criteria.policies),
                      .software = run_set.software};
  if (run_set.report) judgement.parts.push_back({.criterion = kOwn, .report = *run_set.report});
  add_parts(judgement, dips_of(run_set, criteria.terms.tolerance));
  add_parts(judgement, rows_of(run_set, criteria));
  for (Part& part : judgement.parts) {
    const bool own = part.criterion == kOwn;
    part.report = with_waivers(own ? part.report : report_of(part.rows), judgement.policy);
    if (!own && run_set.kind.empty()) locate_by_measuring(part.report);
  }
  if (std::ranges::none_of(judgement.parts, decides))
    judgement.parts.push_back({.criterion = "comparison",
                               .report = {.coverage = {{.check = "comparison",
                                                        .planned = 1,
                                                        .skipped = {"nothing was compared"}}}}});
  return judgement;
}

}  // namespace railgauge::verdict
