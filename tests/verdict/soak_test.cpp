#include <gtest/gtest.h>

#include "sample_runs.hpp"
#include "verdict/comparison.hpp"

namespace railgauge::verdict {
namespace {

using results::SoakBody;

/// A soak of two phases that passed.
SoakBody two_phases() {
  SoakBody body{.window_s = 60};
  for (const std::uint64_t size : {8192, 4194304}) {
    body.rows.push_back({.phase = {"all_reduce", "ring", size, {0, 1}},
                         .p50_us = 100,
                         .p99_us = 110,
                         .p999_us = 130});
  }
  return body;
}

finding::Report with(finding::Cause cause, const char* check = "soak") {
  finding::Finding finding = finding::found(check, cause, {});
  finding.when = finding::TimeWindow{.window = 5, .count = 2};
  return {.findings = {finding}};
}

Rows rows_of(const SoakBody& now, const finding::Report& ours = {},
             const finding::Report& theirs = {}) {
  return against_keyed(keyed_of(now, ours), keyed_of(two_phases(), theirs), "baseline then", 0.05);
}

TEST(Soak, IsComparedPhaseByPhase) {
  SoakBody soak = two_phases();
  EXPECT_EQ(outcome_of(rows_of(soak)), Outcome::pass);
  soak.rows[1].p50_us = 104;  // within the tolerance
  EXPECT_EQ(outcome_of(rows_of(soak)), Outcome::pass);
  soak.rows[1].p50_us = 107;
  EXPECT_EQ(outcome_of(rows_of(soak)), Outcome::fail);
  EXPECT_EQ(compared_text(rows_of(soak)), "2 sizes and 2 tails");
}

TEST(Soak, APhaseThatDidNotRunAgainLeavesTheOutcomeOpen) {
  SoakBody soak = two_phases();
  soak.rows.pop_back();
  EXPECT_EQ(outcome_of(rows_of(soak)), Outcome::inconclusive);
  EXPECT_EQ(rows_of(soak).back().remark, "1 of the baseline not measured");
  EXPECT_EQ(compared_text(rows_of(soak)), "1 of 2 sizes and tail");
}

TEST(Soak, ATailMayBeAQuarterLonger) {
  SoakBody soak = two_phases();
  soak.rows[0].p999_us = 160;
  EXPECT_EQ(outcome_of(rows_of(soak)), Outcome::pass);
  soak.rows[0].p999_us = 170;
  EXPECT_EQ(outcome_of(rows_of(soak)), Outcome::fail);
}

TEST(Soak, CausesThatTheBaselineHasNotFail) {
  const finding::Report slow = with(finding::Cause::slow_processor);
  const Rows rows = rows_of(two_phases(), slow);
  EXPECT_EQ(outcome_of(rows), Outcome::fail);
  EXPECT_EQ(rows.back().remark, "windows with slow processor: the baseline has none");
  EXPECT_EQ(rows.back().ours, 2);
  EXPECT_EQ(outcome_of(rows_of(two_phases(), slow, slow)), Outcome::pass);
}

TEST(Soak, FindingsOfOtherChecksAreNotCompared) {
  EXPECT_EQ(outcome_of(rows_of(two_phases(), with(finding::Cause::firmware, "topology"))),
            Outcome::pass);
}

TEST(Soak, AnotherPlanHasNoAnswer) {
  SoakBody other = two_phases();
  for (auto& row : other.rows) row.phase.rails = {0};
  EXPECT_EQ(outcome_of(rows_of(other)), Outcome::inconclusive);
}

TEST(Soak, APolicyIsAboutWhatItsPortsCounted) {
  RunSet soak{.name = "now", .kind = "soak", .keyed = keyed_of(two_phases(), {})};
  soak.ports = {{.port = "host0 mlx5_0/1", .deltas = {{"out_of_sequence", 1}}}};
  Criteria criteria;
  criteria.policies.push_back({.name = "site"});
  criteria.policies[0].max_per_million_packets[telemetry::Counted::loss] = 0;
  EXPECT_EQ(outcome_of(compared(soak, criteria)), Outcome::fail);
  soak.ports[0].deltas["out_of_sequence"] = 0;
  EXPECT_EQ(outcome_of(compared(soak, criteria)), Outcome::pass);
}

}  // namespace
}  // namespace railgauge::verdict
