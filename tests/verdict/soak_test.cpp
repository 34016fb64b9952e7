#include <gtest/gtest.h>

#include "verdict/comparison.hpp"

namespace railgauge::verdict {
namespace {

using results::SoakBody;
using results::SoakEventKind;
using results::SoakVerdict;

/// A soak of two phases that passed.
RunSet passed() {
  SoakBody body{.window_s = 60};
  body.judgement.verdict = SoakVerdict::pass;
  body.judgement.reasons = {"no loss"};
  for (const std::uint64_t size : {8192, 4194304}) {
    body.rows.push_back({.phase = {"all_reduce", "ring", size, {0, 1}},
                         .p50_us = 100,
                         .p99_us = 110,
                         .p999_us = 130});
  }
  return {.name = "now", .soak = body};
}

Criteria with_baseline() {
  Criteria criteria;
  criteria.baselines.push_back(passed());
  criteria.baselines.back().name = "then";
  return criteria;
}

TEST(Soak, HasItsOwnVerdict) {
  RunSet soak = passed();
  EXPECT_EQ(verdict_of(compared(soak, {}).findings), Verdict::pass);
  soak.soak->judgement.verdict = SoakVerdict::inconclusive;
  EXPECT_EQ(verdict_of(compared(soak, {}).findings), Verdict::inconclusive);
  soak.soak->judgement.verdict = SoakVerdict::fail;
  soak.soak->judgement.reasons = {"loss once", "flap once"};
  const Findings findings = of_soak(soak, {});
  EXPECT_EQ(verdict_of(findings), Verdict::fail);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].remark, "loss once; flap once");
}

TEST(Soak, ThatIsNotFinishedIsAsGoodAsItsWindows) {
  RunSet soak = passed();
  soak.unfinished = "interrupted";
  EXPECT_EQ(verdict_of(compared(soak, {}).findings), Verdict::pass);
}

TEST(Soak, IsComparedPhaseByPhase) {
  RunSet soak = passed();
  EXPECT_EQ(verdict_of(of_soak(soak, with_baseline())), Verdict::pass);
  soak.soak->rows[1].p50_us = 104;  // within the tolerance
  EXPECT_EQ(verdict_of(of_soak(soak, with_baseline())), Verdict::pass);
  soak.soak->rows[1].p50_us = 107;
  EXPECT_EQ(verdict_of(of_soak(soak, with_baseline()), "baseline then"), Verdict::fail);
}

TEST(Soak, ATailMayBeAQuarterLonger) {
  RunSet soak = passed();
  soak.soak->rows[0].p999_us = 160;
  EXPECT_EQ(verdict_of(of_soak(soak, with_baseline())), Verdict::pass);
  soak.soak->rows[0].p999_us = 170;
  EXPECT_EQ(verdict_of(of_soak(soak, with_baseline())), Verdict::fail);
}

TEST(Soak, EventsThatTheBaselineHasNotFail) {
  RunSet soak = passed();
  soak.soak->events.push_back({.kind = SoakEventKind::straggler});
  EXPECT_EQ(verdict_of(of_soak(soak, with_baseline())), Verdict::fail);
  Criteria criteria = with_baseline();
  criteria.baselines[0].soak->events = soak.soak->events;
  EXPECT_EQ(verdict_of(of_soak(soak, criteria)), Verdict::pass);
}

TEST(Soak, AnotherPlanHasNoAnswer) {
  Criteria criteria = with_baseline();
  for (auto& row : criteria.baselines[0].soak->rows) row.phase.rails = {0};
  EXPECT_EQ(verdict_of(of_soak(passed(), criteria), "baseline then"), Verdict::no_reference);
  criteria.baselines[0].soak.reset();
  EXPECT_EQ(verdict_of(of_soak(passed(), criteria), "baseline then"), Verdict::no_reference);
}

TEST(Soak, APolicyIsAboutWhatItsPortsCounted) {
  RunSet soak = passed();
  soak.ports = {{.port = "host0 mlx5_0/1", .host = "host0", .deltas = {{"out_of_sequence", 1}}}};
  Criteria criteria;
  criteria.policies.push_back({.name = "site"});
  criteria.policies[0].max_per_million_packets[telemetry::Counted::loss] = 0;
  EXPECT_EQ(verdict_of(of_soak(soak, criteria), "policy site"), Verdict::fail);
  soak.ports[0].deltas["out_of_sequence"] = 0;
  EXPECT_EQ(verdict_of(of_soak(soak, criteria), "policy site"), Verdict::pass);
}

}  // namespace
}  // namespace railgauge::verdict
