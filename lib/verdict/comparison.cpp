#include "verdict/comparison.hpp"

#include "verdict/against.hpp"
#include "verdict/curve.hpp"
#include "verdict/line_rate.hpp"

namespace railgauge::verdict {
namespace {

constexpr const char* kRun = "run";
constexpr const char* kShape = "shape";
constexpr const char* kDiagnosis = "diagnosis";

/// Whether the run is complete and right.
Findings about_run(const RunSet& run_set) {
  Findings findings;
  for (const std::string& failure : run_set.failures) {
    findings.push_back({.criterion = kRun, .verdict = Verdict::fail, .remark = failure});
  }
  if (findings.empty()) findings.push_back({.criterion = kRun, .verdict = Verdict::pass});
  return findings;
}

/// What the run itself says: who is slow or loses packets, and why.
Findings about_blamed(const RunSet& run_set) {
  Findings findings;
  for (const results::Finding& one : run_set.blamed) {
    findings.push_back({.criterion = kDiagnosis,
                        .subject = Subject::path,
                        .verdict = Verdict::note,
                        .remark = one.text});
  }
  return findings;
}

Findings about_shape(const RunSet& run_set, double tolerance) {
  Findings findings;
  for (const Run& run : run_set.runs) {
    for (const Curve& curve : curves_of(run)) {
      for (const Dip& dip : dips_of(curve, tolerance)) {
        Finding finding = about(kShape, run, curve);
        finding.subject = Subject::dip;
        finding.algorithm = dip.algorithm;
        finding.size_bytes = dip.size_bytes;
        finding.verdict = Verdict::note;
        finding.unit = dip.unit;
        finding.ours = dip.value;
        finding.remark = in_words(dip);
        findings.push_back(finding);
      }
    }
  }
  return findings;
}

Findings against(const RunSet& run_set, const RunSet& baseline, const Terms& terms) {
  Findings findings = against_baseline(run_set, baseline, terms);
  for (const std::string& failure : baseline.failures) {
    findings.push_back({.criterion = "baseline " + baseline.name,
                        .remark = "the baseline is an incomplete or wrong run: " + failure});
  }
  return findings;
}

/// What only collectives can be held to.
Findings of_collective(const RunSet& run_set, const Criteria& criteria) {
  Findings all = about_blamed(run_set);
  append(all, about_shape(run_set, criteria.terms.tolerance));
  for (const Reference& reference : criteria.references) {
    append(all, against_reference(run_set, reference, criteria.terms));
  }
  if (criteria.line_rate) {
    append(all, against_line_rate(run_set, kLineRateShare, criteria.terms.counted));
  }
  for (const RunSet& baseline : criteria.baselines) {
    append(all, against(run_set, baseline, criteria.terms));
  }
  for (const Policy& policy : criteria.policies) append(all, against_policy(run_set, policy));
  return all;
}

Findings of_its_kind(const RunSet& run_set, const Criteria& criteria) {
  if (run_set.reachability) return of_reachability(*run_set.reachability, criteria);
  if (run_set.pairs) return of_pairs(*run_set.pairs, criteria, run_set.software);
  if (run_set.isolate) return of_isolate(*run_set.isolate, criteria);
  return run_set.soak ? of_soak(run_set, criteria) : of_collective(run_set, criteria);
}

}  // namespace

Judgement compared(const RunSet& run_set, const Criteria& criteria) {
  Judgement judgement{run_set.name, about_run(run_set), run_set.software};
  append(judgement.findings, of_its_kind(run_set, criteria));
  return judgement;
}

}  // namespace railgauge::verdict
