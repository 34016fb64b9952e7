#include "finding/outcome.hpp"

#include <gtest/gtest.h>

#include "finding/places.hpp"

namespace railgauge::finding {
namespace {

const std::vector<Coverage> kAll{{.check = "rows", .planned = 10, .tested = 10}};

Finding loss(Certainty certainty) {
  Finding finding = found("diagnosis", Cause::packet_loss, port_of("host2", 1));
  finding.certainty = certainty;
  return finding;
}

TEST(Outcome, PassesOnlyWhatWasTested) {
  EXPECT_EQ(outcome({.coverage = kAll}), Outcome::pass);
  EXPECT_EQ(outcome({}), Outcome::inconclusive);
  EXPECT_EQ(outcome({.coverage = {{.check = "rows"}}}), Outcome::inconclusive);
  EXPECT_EQ(reasons({}), std::vector<std::string>{"nothing was tested"});
}

TEST(Outcome, NeedsTheCoverageOfThePolicyInEveryCheck) {
  const Report report{
      .coverage = {{.check = "rows", .planned = 100, .tested = 100},
                   {.check = "pairs", .planned = 100, .tested = 98, .skipped = {"time limit"}}}};
  EXPECT_EQ(outcome(report), Outcome::inconclusive);
  EXPECT_EQ(reasons(report), std::vector<std::string>{"pairs: tested 98 of 100: time limit"});
  EXPECT_EQ(outcome(report, {.min_coverage = 0.9}), Outcome::pass);
}

TEST(Outcome, ACheckMayNeedLessUnlessThePolicyNamesAShare) {
  const Report report{.coverage = {{.check = "sizes", .planned = 25, .tested = 1, .enough = 1}}};
  EXPECT_EQ(outcome(report), Outcome::pass);
  EXPECT_EQ(outcome(report, {.min_coverage = 0.5}), Outcome::inconclusive);
}

TEST(Outcome, OfTwoPoliciesTheStricterLimitsCount) {
  const Policy both = strictest({.fail_at = Severity::warning, .waivers = {{"mtu", "a"}}},
                                {.min_coverage = 0.5, .waivers = {{"bond", "b"}}});
  EXPECT_EQ(both.fail_at, Severity::warning);
  EXPECT_EQ(both.min_coverage, 0.5);
  EXPECT_EQ(both.waivers.size(), 2U);
  EXPECT_EQ(strictest({.sure_at = Certainty::confirmed}, {}).sure_at, Certainty::likely);
}

/// A policy without a share leaves it to the check: that holds, too, where another has a lax one.
TEST(Outcome, OfTwoPoliciesEachHasItsCoverage) {
  const Policy lax{.min_coverage = 0.5};
  const Report half{.coverage = {{.check = "pairs", .planned = 100, .tested = 60}}};
  EXPECT_EQ(outcome(half, lax), Outcome::pass);
  EXPECT_EQ(outcome(half, {}), Outcome::inconclusive);
  EXPECT_EQ(outcome(half, strictest(lax, lax)), Outcome::pass);
  for (const Policy& both : {strictest(lax, {}), strictest({}, lax), strictest({}, {})})
    EXPECT_EQ(outcome(half, both), Outcome::inconclusive);
  EXPECT_EQ(outcome(half, strictest(strictest(lax, {}), lax)), Outcome::inconclusive);
  const Report sizes{.coverage = {{.check = "sizes", .planned = 100, .tested = 60, .enough = 1}}};
  EXPECT_EQ(outcome(sizes, strictest(lax, {})), Outcome::pass);
  EXPECT_EQ(outcome(sizes, strictest({.min_coverage = 0.7}, {})), Outcome::inconclusive);
}

TEST(Outcome, AWarningMayBeAnErrorAtASite) {
  Report report{{found("topology", Cause::missing_plane, port_of("host0", 0))}, kAll};
  EXPECT_EQ(outcome(report), Outcome::pass);
  EXPECT_EQ(outcome(report, {.errors = {Cause::missing_plane}}), Outcome::fail);
  report.findings[0].severity = Severity::info;
  EXPECT_EQ(outcome(report, {.errors = {Cause::missing_plane}}), Outcome::pass);
}

TEST(Outcome, ALikelyErrorFailsAndAPossibleOneIsInconclusive) {
  EXPECT_EQ(outcome({{loss(Certainty::confirmed)}, kAll}), Outcome::fail);
  EXPECT_EQ(outcome({{loss(Certainty::likely)}, kAll}), Outcome::fail);
  EXPECT_EQ(outcome({{loss(Certainty::possible)}, kAll}), Outcome::inconclusive);
  EXPECT_EQ(outcome({{loss(Certainty::cleared)}, kAll}), Outcome::pass);
}

TEST(Outcome, AFailureIsNotHiddenByLackOfCoverage) {
  EXPECT_EQ(outcome({{loss(Certainty::confirmed)}, {}}), Outcome::fail);
}

TEST(Outcome, WarningsDoNotDecideUnlessThePolicySaysSo) {
  const Report report{{found("topology", Cause::firmware, port_of("host0", 0))}, kAll};
  EXPECT_EQ(outcome(report), Outcome::pass);
  EXPECT_EQ(outcome(report, {.fail_at = Severity::warning}), Outcome::fail);
}

TEST(Outcome, WhatIsWaivedDoesNotDecide) {
  const Report report{{loss(Certainty::confirmed)}, kAll};
  EXPECT_EQ(outcome(report, {.waivers = {{"packet-loss", "known"}}}), Outcome::pass);
  EXPECT_EQ(outcome(report, {.waivers = {{id_of(report.findings[0]), "known"}}}), Outcome::pass);
  EXPECT_EQ(outcome(report, {.waivers = {{"mtu", "known"}}}), Outcome::fail);
}

TEST(Outcome, WhatIsWaivedIsShownWithTheReason) {
  const Report report =
      with_waivers({{loss(Certainty::confirmed)}, kAll}, {.waivers = {{"diagnosis", "cable due"}}});
  EXPECT_EQ(outcome(report), Outcome::pass);
  EXPECT_NE(sentence(report.findings[0]).find("packet loss (waived: cable due)"),
            std::string::npos);
}

TEST(ReplaceChecks, KeepsThoseOfOtherChecks) {
  Report report{.findings = {found("soak", Cause::latency, {}), found("topology", Cause::mtu, {})},
                .coverage = {{.check = "windows", .planned = 1}, {.check = "rails", .planned = 1}}};
  replace_checks(report, {.findings = {found("soak", Cause::latency, {})},
                          .coverage = {{.check = "windows", .planned = 2}}});
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(report.findings[0].check, "topology");
  ASSERT_EQ(report.coverage.size(), 2U);
  EXPECT_EQ(report.coverage[1].planned, 2U);
}

TEST(DrainReason, NamesTheFirstCauseAndFitsTheLine) {
  Report report{{loss(Certainty::confirmed)}, kAll};
  EXPECT_EQ(drain_reason(report), "railgauge: packet loss on host2 mlx5_1 (rail 1)");
  Finding slow = found("pairs", Cause::bandwidth, path_of("host2", "host3", 1));
  report.findings.insert(report.findings.begin(), slow);
  EXPECT_EQ(drain_reason(report), "railgauge: packet loss on host2 mlx5_1 (rail 1), +1 more");
  EXPECT_EQ(drain_reason(report, {}, 28), "railgauge: packe..., +1 more");
  EXPECT_EQ(drain_reason({.coverage = kAll}), "");
}

}  // namespace
}  // namespace railgauge::finding
