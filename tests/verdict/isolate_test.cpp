#include <gtest/gtest.h>

#include "verdict/comparison.hpp"

namespace railgauge::verdict {
namespace {

using results::IsolateBody;
using results::IsolateVerdict;

IsolateBody body_with(IsolateVerdict verdict) {
  IsolateBody body;
  body.isolate_verdict = verdict;
  body.sentences = {"BAD: link a -> b", "3 of 40 tests are bad"};
  return body;
}

TEST(Isolate, HasTheVerdictOfTheSearchInItsWords) {
  const Findings findings = of_isolate(body_with(IsolateVerdict::fail), {});
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].verdict, Verdict::fail);
  EXPECT_EQ(findings[0].remark, "BAD: link a -> b");
  EXPECT_EQ(verdict_of(of_isolate(body_with(IsolateVerdict::pass), {})), Verdict::pass);
}

TEST(Isolate, TakesADoubtForNoAnswer) {
  EXPECT_EQ(verdict_of(of_isolate(body_with(IsolateVerdict::inconclusive), {})),
            Verdict::no_reference);
}

TEST(Isolate, HasNothingToCompare) {
  Criteria criteria;
  criteria.line_rate = true;
  criteria.baselines.push_back({.name = "then"});
  const Findings findings = of_isolate(body_with(IsolateVerdict::pass), criteria);
  EXPECT_EQ(verdict_of(findings, "line rate"), Verdict::no_reference);
  EXPECT_EQ(verdict_of(findings, "baseline then"), Verdict::no_reference);
}

}  // namespace
}  // namespace railgauge::verdict
