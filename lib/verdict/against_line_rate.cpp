#include "verdict/against_line_rate.hpp"

#include "verdict/curve.hpp"
#include "verdict/line_rate.hpp"

namespace railgauge::verdict {

Finding line_rate_finding(const std::string& criterion, const Run& run, const Curve& curve,
                          double share) {
  Finding finding = about(criterion, run, curve);
  finding.subject = Subject::plateau;
  finding.unit = "GB/s";
  const auto plateau = plateau_of(curve);
  if (!plateau) {
    finding.remark = "there are no bandwidths";
    return finding;
  }
  if (run.nodes == 1) {
    finding.remark = "all ranks are on one host: nothing went by a wire";
    return finding;
  }
  finding.size_bytes = plateau->from_bytes;
  finding.ours = plateau->busbw_gigabytes_per_second;
  finding.ours_line_rate_fraction = line_rate_fraction(run, *finding.ours);
  finding.theirs_line_rate_fraction = share;
  if (!finding.ours_line_rate_fraction) {
    finding.remark = "the NICs, their line rate, or the ranks on a host are not known";
    return finding;
  }
  finding.ratio = *finding.ours_line_rate_fraction / share;
  finding.theirs = *finding.ours / *finding.ratio;
  if (*finding.ratio < 1 && still_rises(curve)) {
    finding.remark = "bandwidth still rises at the largest size: measure larger ones";
    return finding;
  }
  finding.verdict = *finding.ratio < 1 ? Verdict::fail : Verdict::pass;
  return finding;
}

Findings against_line_rate(const RunSet& run_set, double share) {
  Findings findings;
  for (const Run& run : run_set.runs) {
    for (const Curve& curve : curves_of(run)) {
      findings.push_back(line_rate_finding("line rate", run, curve, share));
    }
  }
  return findings;
}

}  // namespace railgauge::verdict
