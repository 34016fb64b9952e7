#include "verdict/against_reference.hpp"

#include "verdict/beside_reference.hpp"
#include "verdict/counterpart.hpp"
#include "verdict/curve.hpp"

namespace railgauge::verdict {
namespace {

void compare_run(const Run& ours, const Reference& reference, const Terms& terms, Findings& all) {
  const std::string name = "reference " + reference.name;
  const Choice choice = nearest_run(ours, reference, terms);
  std::vector<Curve> theirs;
  if (choice.run != nullptr) theirs = curves_of(*choice.run);
  for (const Curve& curve : curves_of(ours)) {
    Finding finding = about(name, ours, curve);
    const Curve* const other = like(curve, theirs);
    if (choice.run != nullptr && other != nullptr) {
      append(all, beside_reference(finding, {ours, curve}, {*choice.run, *other}, terms));
      continue;
    }
    finding.subject = Subject::plateau;
    finding.remark = choice.run == nullptr ? choice.why_none
                                           : "it has nothing " + std::string(word(curve.placement));
    all.push_back(finding);
  }
}

}  // namespace

Findings against_reference(const RunSet& run_set, const Reference& reference, const Terms& terms) {
  Findings all;
  for (const Run& ours : run_set.runs) compare_run(ours, reference, terms, all);
  return all;
}

}  // namespace railgauge::verdict
