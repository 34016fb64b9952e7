#include <gtest/gtest.h>

#include <algorithm>

#include "verdict/comparison.hpp"

namespace railgauge::verdict {
namespace {

using results::PairRow;
using results::PairsBody;
using results::PairVerdict;

/// Latencies of a thousand pings, spread evenly about the median.
results::PairFigures pings(double median_us) {
  results::PairFigures figures{.messages = 1000,
                               .time = measure::Summary{.n = 1000, .p50_us = median_us}};
  for (int at = 1; at < 20; ++at) figures.quantiles_us.push_back(median_us * (0.9 + 0.01 * at));
  return figures;
}

/// Two hosts, both ways, both modes.
PairsBody four_ways() {
  PairsBody body{.planned = 4};
  for (const bool back : {false, true}) {
    PairRow row{.from = {.host = back ? "b" : "a"}, .to = {.host = back ? "a" : "b"}};
    row.verdict = PairVerdict::pass;
    row.mode = "bandwidth";
    row.figures = {.gigabytes_per_second = 48};
    body.rows.push_back(row);
    row.mode = "write";
    row.figures = pings(2);
    body.rows.push_back(row);
  }
  return body;
}

Criteria with_baseline_of(const PairsBody& body) {
  Criteria criteria;
  criteria.baselines.push_back({.name = "then", .pairs = body});
  return criteria;
}

Verdict against_then(const PairsBody& now, const PairsBody& then) {
  return verdict_of(of_pairs(now, with_baseline_of(then)), "baseline then");
}

TEST(Pairs, PassIfNothingSpeaksAgainstThem) {
  const Findings findings = of_pairs(four_ways(), {});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].verdict, Verdict::pass);
  EXPECT_EQ(findings[0].remark, "nothing wrong with 4 ways");
}

PairsBody over(PairsBody body, const std::string& spine) {
  for (PairRow& row : body.rows) {
    row.path_label = results::PathLabel::told;
    row.switches = 3;
    row.paths = {{49152, {"leaf0", spine, "leaf1"}}};
  }
  return body;
}

bool any_says(const Findings& findings, const std::string& words) {
  return std::ranges::any_of(findings, [&](const Finding& finding) {
    return finding.remark.find(words) != std::string::npos;
  });
}

TEST(Pairs, OverOtherSwitchesThanBeforeAreNoted) {
  const PairsBody then = over(four_ways(), "spine0");
  PairsBody now = over(four_ways(), "spine1");
  EXPECT_TRUE(any_says(of_pairs(now, with_baseline_of(then)), "4 ways over other switches"));
  EXPECT_EQ(against_then(now, then), Verdict::pass);
  now.rows[0].figures.gigabytes_per_second = 24;
  EXPECT_TRUE(any_says(of_pairs(now, with_baseline_of(then)),
                       "slower than the baseline; over leaf0 > spine1 > leaf1, then over leaf0 > "
                       "spine0 > leaf1"));
}

TEST(Pairs, OverTheSameSwitchesOrUnknownOnesAreNot) {
  const PairsBody then = over(four_ways(), "spine0");
  EXPECT_FALSE(any_says(of_pairs(then, with_baseline_of(then)), "switches"));
  PairsBody now = over(four_ways(), "spine1");
  for (PairRow& row : now.rows) row.path_label = results::PathLabel::by_queue_pair;
  EXPECT_FALSE(any_says(of_pairs(now, with_baseline_of(then)), "switches"));
}

TEST(Pairs, FailForEveryFinding) {
  PairsBody body = four_ways();
  body.findings = {"a is slow", "b has 1 NIC"};
  EXPECT_EQ(of_pairs(body, {}).size(), 2U);
  EXPECT_EQ(verdict_of(of_pairs(body, {})), Verdict::fail);
}

TEST(Pairs, WhatIsUnknownHasNoAnswer) {
  PairsBody body = four_ways();
  for (PairRow& row : body.rows) row.verdict = PairVerdict::unknown;
  body.planned = 9;
  const Findings findings = of_pairs(body, {});
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].verdict, Verdict::no_reference);
  EXPECT_EQ(findings[1].remark, "5 ways not measured");
}

TEST(Pairs, AreComparedWayByWay) {
  const PairsBody then = four_ways();
  PairsBody now = then;
  EXPECT_EQ(against_then(now, then), Verdict::pass);
  now.rows[0].figures.gigabytes_per_second = 47;  // within the tolerance
  EXPECT_EQ(against_then(now, then), Verdict::pass);
  now.rows[0].figures.gigabytes_per_second = 24;
  EXPECT_EQ(against_then(now, then), Verdict::fail);
}

TEST(Pairs, FailForAWayThatWorkedThen) {
  PairsBody now = four_ways();
  now.rows[3].figures = {.reason = "RETRY_EXC_ERR"};
  const Findings findings = of_pairs(now, with_baseline_of(four_ways()));
  EXPECT_EQ(verdict_of(findings, "baseline then"), Verdict::fail);
  EXPECT_EQ(findings[1].remark, "does not work any more: RETRY_EXC_ERR");
}

TEST(Pairs, LatenciesAreComparedAsDistributions) {
  const PairsBody then = four_ways();
  PairsBody now = then;
  now.rows[1].figures = pings(3);
  EXPECT_EQ(against_then(now, then), Verdict::fail);
  now.rows[1].figures = pings(1);  // shorter always passes
  EXPECT_EQ(against_then(now, then), Verdict::pass);
  now.rows[1].figures = pings(3);
  now.rows[1].figures.messages = 3;  // three pings may be late by chance
  EXPECT_EQ(against_then(now, then), Verdict::pass);
}

TEST(Pairs, DoNotGuessAboutOtherWays) {
  PairsBody then = four_ways();
  then.rows.pop_back();
  const Findings findings = of_pairs(four_ways(), with_baseline_of(then));
  EXPECT_EQ(findings.back().remark, "1 way not in the baseline");
  Criteria other;
  other.baselines.push_back({.name = "then"});
  EXPECT_EQ(of_pairs(four_ways(), other).back().verdict, Verdict::no_reference);
}

std::string of_line_rate(const PairsBody& body, bool software) {
  Criteria criteria;
  criteria.line_rate = true;
  return of_pairs(body, criteria, software).back().remark;
}

TEST(Pairs, SayHowManyWereHeldToLineRate) {
  PairsBody body = four_ways();
  EXPECT_TRUE(of_line_rate(body, false).starts_with("0 ways of 4 were held to line rate"));
  for (PairRow& row : body.rows) row.figures.line_rate_percent = 96;
  EXPECT_EQ(of_line_rate(body, false), "every way was held to line rate when it was measured");
  EXPECT_EQ(of_line_rate(body, true),
            "software devices have no line rate that ways could be held to");
  body.rows.back().figures.line_rate_percent.reset();
  EXPECT_TRUE(of_line_rate(body, false).starts_with("3 ways of 4 were held to line rate"));
}

TEST(Pairs, AreNotHeldToABaselineIfTheirEndsDidNotRun) {
  const PairsBody then = four_ways();
  PairsBody now = then;
  results::PairFigures& one = now.rows[0].figures;
  one.gigabytes_per_second = 0.5 * *then.rows[0].figures.gigabytes_per_second;
  EXPECT_EQ(against_then(now, then), Verdict::fail);
  one.ran_share = 0.45;
  EXPECT_EQ(against_then(now, then), Verdict::no_reference);
  EXPECT_TRUE(any_says(of_pairs(now, with_baseline_of(then)), "but the processes at its ends ran"));
  one.ran_share = 0.7;
  EXPECT_EQ(against_then(now, then), Verdict::fail) << "slower, anyway";
  one.held_up = "the process on b did not run for 90 ms";
  EXPECT_EQ(against_then(now, then), Verdict::no_reference);
}

}  // namespace
}  // namespace railgauge::verdict
