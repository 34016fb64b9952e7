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
  const auto no_answer = [&](const std::string& criterion) {
    all.push_back({.criterion = criterion,
                   .verdict = Verdict::no_reference,
                   .remark = "a search for a bad component has no figures to compare"});
  };
  for (const Reference& reference : criteria.references) no_answer("reference " + reference.name);
  if (criteria.line_rate) no_answer("line rate");
  for (const RunSet& baseline : criteria.baselines) no_answer("baseline " + baseline.name);
  for (const Policy& policy : criteria.policies) no_answer("policy " + policy.name);
  return all;
}

}  // namespace railgauge::verdict
