#include "verdict/comparison.hpp"

#include <gtest/gtest.h>

namespace railgauge::verdict {
namespace {

using results::ReachabilityBody;

/// Two hosts on one rail, in both directions.
ReachabilityBody two_paths() {
  ReachabilityBody body;
  for (const bool back : {false, true}) {
    body.rows.push_back({.from = {.host = back ? "b" : "a"},
                         .to = {.host = back ? "a" : "b"},
                         .reached = true,
                         .latency_us = 2,
                         .gigabytes_per_second = 10});
  }
  return body;
}

Criteria with_baseline(const ReachabilityBody& body) {
  Criteria criteria;
  criteria.baselines.push_back({.name = "then", .reachability = body});
  return criteria;
}

TEST(Reachability, PassesIfNothingSpeaksAgainstTheFabric) {
  const Findings findings = of_reachability(two_paths(), {});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].verdict, Verdict::pass);
  EXPECT_EQ(findings[0].remark, "nothing wrong with 2 paths");
}

TEST(Reachability, FailsForEveryFinding) {
  ReachabilityBody body = two_paths();
  body.findings = {"a rail 0 to b rail 0 is slow", "b has 1 NIC"};
  const Findings findings = of_reachability(body, {});
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(verdict_of(findings), Verdict::fail);
  EXPECT_EQ(findings[1].remark, "b has 1 NIC");
}

TEST(Reachability, HasNoAnswerWhereThereIsDoubt) {
  ReachabilityBody body = two_paths();
  body.doubts = {"not known whether a rail 0 to b rail 0 is slow"};
  EXPECT_EQ(verdict_of(of_reachability(body, {})), Verdict::no_reference);
  body.findings = {"b has 1 NIC"};
  EXPECT_EQ(verdict_of(of_reachability(body, {})), Verdict::fail);
}

TEST(Reachability, DoesNotHoldAPathToABaselineWhoseEndsDidNotRun) {
  ReachabilityBody now = two_paths();
  now.rows[1].gigabytes_per_second = 5;
  now.rows[1].ran_share = 0.5;
  const Findings slower = of_reachability(now, with_baseline(two_paths()));
  EXPECT_EQ(verdict_of(slower, "baseline then"), Verdict::no_reference);
  EXPECT_EQ(slower[1].remark,
            "slower than the baseline, but the processes at its ends ran for about 50 % of the "
            "time");
  now.rows[1].gigabytes_per_second = 4;
  EXPECT_EQ(verdict_of(of_reachability(now, with_baseline(two_paths()))), Verdict::fail);
  now.rows[1].gigabytes_per_second = 10;
  EXPECT_EQ(verdict_of(of_reachability(now, with_baseline(two_paths()))), Verdict::pass);
  now.rows[1].reached = false;
  EXPECT_EQ(verdict_of(of_reachability(now, with_baseline(two_paths()))), Verdict::fail);
}

TEST(Reachability, IsComparedPathByPath) {
  const Criteria criteria = with_baseline(two_paths());
  ReachabilityBody now = two_paths();
  EXPECT_EQ(verdict_of(of_reachability(now, criteria), "baseline then"), Verdict::pass);
  now.rows[1].gigabytes_per_second = 9.6;  // within the tolerance
  EXPECT_EQ(verdict_of(of_reachability(now, criteria)), Verdict::pass);
  now.rows[1].gigabytes_per_second = 20;  // faster always passes
  EXPECT_EQ(verdict_of(of_reachability(now, criteria)), Verdict::pass);
  now.rows[1].gigabytes_per_second = 9;
  const Findings slower = of_reachability(now, criteria);
  EXPECT_EQ(verdict_of(slower, "baseline then"), Verdict::fail);
  EXPECT_EQ(slower[1].setting, "b rail 0 to a rail 0");
  EXPECT_DOUBLE_EQ(slower[1].ratio.value(), 0.9);
}

TEST(Reachability, FailsForAPathThatWasLost) {
  ReachabilityBody now = two_paths();
  now.rows[0] = {.from = now.rows[0].from, .to = now.rows[0].to, .reason = "no answer"};
  const Findings lost = of_reachability(now, with_baseline(two_paths()));
  EXPECT_EQ(lost[1].remark, "not reached any more: no answer");
  EXPECT_EQ(lost[1].verdict, Verdict::fail);
  const Findings as_before = of_reachability(now, with_baseline(now));
  EXPECT_EQ(verdict_of(as_before, "baseline then"), Verdict::pass);
}

TEST(Reachability, DoesNotGuessAboutOtherPaths) {
  ReachabilityBody other = two_paths();
  for (auto& row : other.rows) row.from.rail = row.to.rail = 7;
  const Findings findings = of_reachability(two_paths(), with_baseline(other));
  EXPECT_EQ(verdict_of(findings, "baseline then"), Verdict::no_reference);
  EXPECT_EQ(findings[1].remark, "2 paths not in the baseline");
  EXPECT_EQ(findings[2].remark, "2 paths of the baseline not tested");
}

TEST(Reachability, HasNoAnswerToQuestionsAboutCollectives) {
  Criteria criteria;
  criteria.line_rate = true;
  criteria.references.push_back({.name = "theirs"});
  criteria.policies.push_back({.name = "strict"});
  criteria.baselines.push_back({.name = "collective"});
  const Findings findings = of_reachability(two_paths(), criteria);
  for (const char* criterion :
       {"line rate", "reference theirs", "policy strict", "baseline collective"}) {
    EXPECT_EQ(verdict_of(findings, criterion), Verdict::no_reference) << criterion;
  }
  EXPECT_FALSE(findings.back().remark.empty());
}

}  // namespace
}  // namespace railgauge::verdict
