#include <utility>

#include "verdict/comparison.hpp"

namespace railgauge::verdict {
namespace {

using results::IsolateBody;
using results::IsolateVerdict;

Verdict own_verdict_of(const IsolateBody& body) {
  switch (body.isolate_verdict) {
    case IsolateVerdict::pass: return Verdict::pass;
    case IsolateVerdict::fail: return Verdict::fail;
    case IsolateVerdict::inconclusive: break;
  }
  return Verdict::inconclusive;
}

Verdict verdict_of(const results::IsolateSuspect& suspect) {
  if (suspect.certainty == "named") return Verdict::fail;
  return suspect.certainty == "withdrawn" ? Verdict::note : Verdict::inconclusive;
}

/// The sentences of suspects, that of the whole, and what else there is to know.
Findings about_components(const IsolateBody& body) {
  Findings all;
  all.reserve(body.sentences.size());
  for (const std::string& sentence : body.sentences) {
    const std::size_t at = all.size();
    Finding finding{.criterion = "isolate",
                    .setting = "its limits",
                    .verdict = Verdict::note,
                    .remark = sentence};
    if (at < body.suspects.size()) {
      finding.subject = Subject::path;
      finding.setting = body.suspects[at].where;
      finding.verdict = verdict_of(body.suspects[at]);
    } else if (at == body.suspects.size()) {
      finding.setting = "the whole search";
      finding.verdict = own_verdict_of(body);
    }
    all.push_back(std::move(finding));
  }
  return all;
}

}  // namespace

Findings of_isolate(const IsolateBody& body, const Criteria& criteria) {
  Findings all = about_components(body);
  const std::string why = "a search for a bad component has no figures to compare";
  for (const Reference& one : criteria.references)
    all.push_back(no_answer("reference " + one.name, why));
  if (criteria.line_rate) all.push_back(no_answer("line rate", why));
  for (const RunSet& one : criteria.baselines)
    all.push_back(no_answer("baseline " + one.name, why));
  for (const Policy& one : criteria.policies) all.push_back(no_answer("policy " + one.name, why));
  return all;
}

}  // namespace railgauge::verdict
