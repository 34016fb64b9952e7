#include <gtest/gtest.h>

#include "verdict/comparison.hpp"

namespace railgauge::verdict {
namespace {

using results::IsolateBody;
using results::IsolateVerdict;

IsolateBody body_with(IsolateVerdict verdict) {
  IsolateBody body;
  body.isolate_verdict = verdict;
  body.sentences = {"BAD: link a -> b", "3 of 40 tests are bad", "loss of less may not be seen"};
  const std::string certainty = verdict == IsolateVerdict::fail ? "named" : "suspect";
  body.suspects = {{.kind = "link", .where = "link a -> b", .certainty = certainty}};
  if (verdict != IsolateVerdict::pass) return body;
  body.suspects.clear();
  body.sentences.erase(body.sentences.begin());
  return body;
}

TEST(Isolate, HasTheVerdictOfTheSearchInItsWords) {
  const Findings findings = of_isolate(body_with(IsolateVerdict::fail), {});
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[0].setting, "link a -> b");
  EXPECT_EQ(findings[1].verdict, Verdict::fail);
  EXPECT_EQ(findings[2].verdict, Verdict::note);
  EXPECT_EQ(findings[0].verdict, Verdict::fail);
  EXPECT_EQ(findings[0].remark, "BAD: link a -> b");
  EXPECT_EQ(verdict_of(of_isolate(body_with(IsolateVerdict::pass), {})), Verdict::pass);
}

TEST(Isolate, ThatIsInconclusiveIsNoPassAndNotOnlySkipped) {
  EXPECT_EQ(verdict_of(of_isolate(body_with(IsolateVerdict::inconclusive), {})),
            Verdict::inconclusive);
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
