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
  return Verdict::no_reference;
}

/// The sentences of suspects, and of the whole.
Findings about_components(const IsolateBody& body) {
  Findings all;
  all.reserve(body.sentences.size());
  for (const std::string& sentence : body.sentences) {
    all.push_back({.criterion = "isolate",
                   .subject = Subject::path,
                   .verdict = own_verdict_of(body),
                   .remark = sentence});
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
