#include <gtest/gtest.h>

#include <algorithm>

#include "sample_runs.hpp"
#include "verdict/keyed.hpp"

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

/// Two hosts, both directions, both modes.
PairsBody four_pairs() {
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

Rows compared_with(const PairsBody& now, const PairsBody& then) {
  return against_keyed(keyed_of(now, {}), keyed_of(then, {}), "baseline then", 0.05);
}

Outcome against_then(const PairsBody& now, const PairsBody& then) {
  return outcome_of(compared_with(now, then));
}

PairsBody over(PairsBody body, const std::string& spine) {
  for (PairRow& row : body.rows) {
    row.path_label = results::PathLabel::told;
    row.switches = 3;
    row.paths = {{49152, {"leaf0", spine, "leaf1"}}};
  }
  return body;
}

bool any_says(const Rows& rows, const std::string& words) {
  return std::ranges::any_of(
      rows, [&](const Row& row) { return remark_of(row).find(words) != std::string::npos; });
}

TEST(Pairs, OverOtherSwitchesThanBeforeAreNoted) {
  const PairsBody then = over(four_pairs(), "spine0");
  PairsBody now = over(four_pairs(), "spine1");
  EXPECT_TRUE(any_says(compared_with(now, then), "over leaf0 > spine1 > leaf1, then over leaf0"));
  EXPECT_EQ(against_then(now, then), Outcome::pass);
  now.rows[0].figures.gigabytes_per_second = 24;
  EXPECT_TRUE(any_says(compared_with(now, then),
                       "slower than the baseline; over leaf0 > spine1 > leaf1, then over leaf0 > "
                       "spine0 > leaf1"));
}

TEST(Pairs, OverTheSameSwitchesOrUnknownOnesAreNot) {
  const PairsBody then = over(four_pairs(), "spine0");
  EXPECT_FALSE(any_says(compared_with(then, then), "switches"));
  PairsBody now = over(four_pairs(), "spine1");
  for (PairRow& row : now.rows) row.path_label = results::PathLabel::by_queue_pair;
  EXPECT_FALSE(any_says(compared_with(now, then), "switches"));
}

TEST(Pairs, AreComparedWayByWay) {
  const PairsBody then = four_pairs();
  PairsBody now = then;
  EXPECT_EQ(against_then(now, then), Outcome::pass);
  now.rows[0].figures.gigabytes_per_second = 47;  // within the tolerance
  EXPECT_EQ(against_then(now, then), Outcome::pass);
  now.rows[0].figures.gigabytes_per_second = 24;
  EXPECT_EQ(against_then(now, then), Outcome::fail);
}

TEST(Pairs, FailForAWayThatWorkedThen) {
  PairsBody now = four_pairs();
  now.rows[3].figures = {.reason = "RETRY_EXC_ERR"};
  const Rows rows = compared_with(now, four_pairs());
  EXPECT_EQ(outcome_of(rows, "baseline then"), Outcome::fail);
  EXPECT_EQ(rows[3].remark, "does not work any more: RETRY_EXC_ERR");
}

TEST(Pairs, OfConnectFailForOneThatIsNotReachedAnyMore) {
  PairsBody then = four_pairs();
  std::erase_if(then.rows, [](const PairRow& row) { return row.mode != "bandwidth"; });
  for (PairRow& row : then.rows) row.mode = "connect";
  PairsBody now = then;
  now.rows[1].figures = {.reason = "no answer"};
  const Rows lost = compared_with(now, then);
  EXPECT_EQ(outcome_of(lost, "baseline then"), Outcome::fail);
  EXPECT_EQ(lost[1].remark, "does not work any more: no answer");
  now = then;
  now.rows[0].figures.gigabytes_per_second = 45;
  EXPECT_EQ(against_then(now, then), Outcome::fail);
}

TEST(Pairs, LatenciesAreComparedAsDistributions) {
  const PairsBody then = four_pairs();
  PairsBody now = then;
  now.rows[1].figures = pings(3);
  EXPECT_EQ(against_then(now, then), Outcome::fail);
  now.rows[1].figures = pings(1);  // shorter always passes
  EXPECT_EQ(against_then(now, then), Outcome::pass);
  now.rows[1].figures = pings(3);
  now.rows[1].figures.messages = 3;  // three pings may be late by chance
  EXPECT_EQ(against_then(now, then), Outcome::pass);
}

TEST(Pairs, DoNotGuessAboutOtherPairs) {
  PairsBody then = four_pairs();
  then.rows.pop_back();
  const Rows rows = compared_with(four_pairs(), then);
  EXPECT_EQ(rows.back().remark, "not in the baseline");
  EXPECT_EQ(compared_text(rows), "3 of 4 paths");
}

/// What was not measured again may have been lost: with a host, its pairs are gone, too.
TEST(Pairs, ThatWereNotMeasuredAgainLeaveTheOutcomeOpen) {
  PairsBody now = four_pairs();
  EXPECT_EQ(compared_text(compared_with(now, four_pairs())), "4 paths");
  now.rows.resize(1);
  const Rows rows = compared_with(now, four_pairs());
  EXPECT_EQ(compared_text(rows), "1 of 4 paths");
  EXPECT_EQ(outcome_of(rows), Outcome::inconclusive);
  EXPECT_EQ(
      reasons(report_of(rows)),
      std::vector<std::string>{"baseline then: tested 1 of 4: 3 of the baseline not measured"});
  EXPECT_EQ(outcome(report_of(rows), {.min_coverage = 0.25}), Outcome::pass);
  now.rows[0].figures.gigabytes_per_second = 24;
  EXPECT_EQ(against_then(now, four_pairs()), Outcome::fail);
}

TEST(Pairs, AreFindingsAtTheirPaths) {
  PairsBody now = four_pairs();
  now.rows[0].figures.gigabytes_per_second = 24;
  const finding::Report report = report_of(compared_with(now, four_pairs()));
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(sentence(report.findings[0]),
            "a (rail 0) -> b (rail 0): bandwidth: slower than the baseline: bandwidth 24 GB/s, "
            "expected 48 GB/s (baseline then); check cable, transceiver and switch port");
}

TEST(Pairs, AreNotHeldToABaselineIfTheirProcessesWereDescheduled) {
  const PairsBody then = four_pairs();
  PairsBody now = then;
  results::PairFigures& one = now.rows[0].figures;
  one.gigabytes_per_second = 0.5 * *then.rows[0].figures.gigabytes_per_second;
  EXPECT_EQ(against_then(now, then), Outcome::fail);
  one.cpu_share = 0.45;
  EXPECT_EQ(against_then(now, then), Outcome::inconclusive);
  EXPECT_TRUE(any_says(compared_with(now, then), "but the endpoint processes had a CPU"));
  one.cpu_share = 0.7;
  EXPECT_EQ(against_then(now, then), Outcome::fail) << "slower, anyway";
  one.descheduled = "the process on b was descheduled for 90 ms";
  EXPECT_EQ(against_then(now, then), Outcome::inconclusive) << "a document without the figure";
  one.seconds = 0.3;
  one.descheduled_ms = 90;
  EXPECT_EQ(against_then(now, then), Outcome::inconclusive);
  EXPECT_TRUE(any_says(compared_with(now, then), "but the process on b was descheduled"));
  one.seconds = 1;
  EXPECT_EQ(against_then(now, then), Outcome::fail) << "slower, without the stall, too";
}

}  // namespace
}  // namespace railgauge::verdict
