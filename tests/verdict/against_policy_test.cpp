#include "verdict/against.hpp"

#include <gtest/gtest.h>

#include "sample_runs.hpp"

namespace railgauge::verdict {
namespace {

Rows judged(const verdict::Run& run, const Rule& rule) {
  return against_policy(measurement_with(run), {.name = "ours", .rules = {rule}});
}

Outcome verdict_by(const verdict::Run& run, const Rule& rule) {
  return outcome_of(judged(run, rule));
}

TEST(AgainstPolicy, HoldsThePlateauToAShareOfLineRate) {
  EXPECT_EQ(verdict_by(straight_run(10, 24), {.min_line_rate_percent = 95}), Outcome::pass);
  EXPECT_EQ(verdict_by(straight_run(10, 23), {.min_line_rate_percent = 95}), Outcome::fail);
}

TEST(AgainstPolicy, HoldsEverySizeOfAClassToIt) {
  verdict::Run run = straight_run(0.1, 24);
  const Rule rule{.from_bytes = 1U << 20U, .to_bytes = 4U << 20U, .min_line_rate_percent = 90};
  EXPECT_EQ(judged(run, rule).size(), 3u);
  EXPECT_EQ(verdict_by(run, rule), Outcome::pass);
  run.points[18].busbw_gigabytes_per_second = 20;  // 2M
  EXPECT_EQ(verdict_by(run, rule), Outcome::fail);
}

TEST(AgainstPolicy, AsksOnlyWhatARuleIsAbout) {
  const verdict::Run run = straight_run(10, 1);  // fails whatever is asked
  const auto asked = [&](Rule rule) {
    rule.min_line_rate_percent = 50;
    return verdict_by(run, rule) == Outcome::fail;
  };
  EXPECT_TRUE(asked({}));
  EXPECT_TRUE(asked({.collective = "all_reduce",
                     .nodes = 4,
                     .nics_per_node = 2,
                     .line_rate_gigabits_per_second = 100}));
  EXPECT_FALSE(asked({.collective = "alltoall"}));
  EXPECT_FALSE(asked({.nodes = 2}));
  EXPECT_FALSE(asked({.nics_per_node = 8}));
  EXPECT_FALSE(asked({.line_rate_gigabits_per_second = 400}));
}

TEST(AgainstPolicy, WhatNoRuleIsAboutHasNoAnswer) {
  EXPECT_EQ(verdict_by(straight_run(10, 24), {.nodes = 2, .min_line_rate_percent = 50}),
            Outcome::inconclusive);
}

TEST(AgainstPolicy, BoundsTheTail) {
  verdict::Run run = straight_run(10, 24);
  EXPECT_EQ(verdict_by(run, {.max_p999_over_p50 = 2}), Outcome::inconclusive);  // it has no p99.9
  for (Point& point : run.points) point.p999_us = *point.time_us * 1.5;
  EXPECT_EQ(verdict_by(run, {.max_p999_over_p50 = 2}), Outcome::pass);
  run.points[3].p999_us = *run.points[3].time_us * 3;
  const Row tail = only(judged(run, {.max_p999_over_p50 = 2}), Subject::tail);
  EXPECT_EQ(tail.answer, Answer::failed);
  EXPECT_EQ(tail.size_bytes, 64u);
  EXPECT_NEAR(tail.ours.value_or(0), 3, 1e-9);
}

TEST(AgainstPolicy, BoundsTheTailInMilliseconds) {
  verdict::Run run = straight_run(10, 24);
  EXPECT_EQ(verdict_by(run, {.max_p999_ms = 5}), Outcome::inconclusive);
  for (Point& point : run.points) point.p999_us = 4999;
  EXPECT_EQ(verdict_by(run, {.max_p999_ms = 5}), Outcome::pass);
  run.points[3].p999_us = 5001;
  const Row tail = only(judged(run, {.max_p999_ms = 5}), Subject::tail);
  EXPECT_EQ(tail.answer, Answer::failed);
  EXPECT_EQ(tail.unit, "ms");
}

TEST(AgainstPolicy, BoundsDips) {
  verdict::Run run = straight_run(10, 24);
  EXPECT_EQ(verdict_by(run, {.max_dip_percent = 5}), Outcome::pass);
  run.points.back().busbw_gigabytes_per_second = 20;
  EXPECT_EQ(verdict_by(run, {.max_dip_percent = 5}), Outcome::fail);
  EXPECT_EQ(verdict_by(run, {.max_dip_percent = 30}), Outcome::pass);
}

TEST(AgainstPolicy, LeavesADipOpenWhereRanksWaitedForCpus) {
  verdict::Run run = straight_run(10, 24);
  run.points.back().busbw_gigabytes_per_second = 10;
  run.points.back().cpu_share = 0.4;
  EXPECT_EQ(verdict_by(run, {.max_dip_percent = 5}), Outcome::inconclusive);
  Point& other = run.points[run.points.size() - 2];
  other.busbw_gigabytes_per_second = 10;
  EXPECT_EQ(verdict_by(run, {.max_dip_percent = 5}), Outcome::fail) << "this one has no excuse";
  EXPECT_EQ(only(judged(run, {.max_dip_percent = 5}), Subject::dip).size_bytes, other.size_bytes);
}

TEST(AgainstPolicy, NamesTheAlgorithmOfTheSizeItIsAbout) {
  verdict::Run run = straight_run(10, 24);
  for (std::size_t i = 0; i < 11; ++i) run.points[i].algorithm = "direct";
  Point& small = run.points[5];
  small.time_us = 20;
  small.p999_us = 100;
  small.slowest_rail = {.rail = 1, .percent = 30};
  const auto algorithm = [&](const Rule& rule, Subject subject) {
    return only(judged(run, rule), subject, *small.size_bytes).algorithm;
  };
  EXPECT_EQ(algorithm({.max_dip_percent = 5}, Subject::dip), "direct");
  EXPECT_EQ(algorithm({.max_p999_over_p50 = 2}, Subject::tail), "direct");
  EXPECT_EQ(algorithm({.from_bytes = 8, .min_line_rate_percent = 90}, Subject::size), "direct");
  run.points.resize(7);
  run.points.back().algorithm = "ring";
  EXPECT_EQ(algorithm({.max_rail_imbalance_percent = 10}, Subject::rail), "direct");
}

TEST(AgainstPolicy, BoundsHowMuchRailsDiffer) {
  verdict::Run run = straight_run(10, 24);
  const Rule rule{.max_rail_imbalance_percent = 10};
  EXPECT_EQ(verdict_by(run, rule), Outcome::inconclusive);  // one rail: no rule is about it
  for (Point& point : run.points) {
    point.slowest_rail = {.rail = 1, .percent = 3};
  }
  EXPECT_EQ(verdict_by(run, rule), Outcome::pass);
  run.points.front().slowest_rail->percent = 80;  // of so small a size it is chance
  EXPECT_EQ(verdict_by(run, rule), Outcome::pass);
  run.points.back().slowest_rail = {.rail = 3, .percent = 40};
  const Row rail = only(judged(run, rule), Subject::rail);
  EXPECT_EQ(rail.answer, Answer::failed);
  EXPECT_EQ(rail.ours.value_or(0), 40);
  EXPECT_NE(rail.remark.find("rail 3 is slowest"), std::string::npos);
}

TEST(AgainstPolicy, CountersThatHaveToStay) {
  const Policy policy{.name = "ours", .counters_that_stay = {"seq_err", "resent"}};
  const auto moved = [&](std::vector<CounterDeltas> ports) {
    RunSet run_set{.runs = {}, .ports = std::move(ports)};
    return against_policy(run_set, policy);
  };
  EXPECT_EQ(outcome_of(moved({{.port = "a", .deltas = {{"seq_err", 0}, {"packets", 9}}}})),
            Outcome::pass);
  EXPECT_EQ(outcome_of(moved({{.port = "a", .deltas = {{"packets", 9}}}})), Outcome::inconclusive);
  const Rows rows =
      moved({{.port = "a", .deltas = {{"seq_err", 0}}}, {.port = "b", .deltas = {{"seq_err", 3}}}});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].answer, Answer::failed);
  EXPECT_EQ(rows[0].remark, "b seq_err");
  EXPECT_EQ(rows[0].ours, 3);
}

TEST(AgainstPolicy, RulesForHardwareHaveNoAnswerForSoftware) {
  RunSet run_set = measurement_with(straight_run(10, 1));  // fails whatever is asked
  Policy policy{.name = "ours", .rules = {{.min_line_rate_percent = 90}}};
  policy.hardware_only = true;
  EXPECT_EQ(outcome_of(against_policy(run_set, policy)), Outcome::fail);
  run_set.software = true;
  policy.max_per_million_packets = {{telemetry::Counted::corruption, 0}};
  run_set.ports = {{.port = "a", .deltas = {{"icrc_err", 0}}}};
  EXPECT_EQ(outcome_of(against_policy(run_set, policy)), Outcome::inconclusive);
  run_set.ports[0].deltas["icrc_err"] = 1;
  EXPECT_EQ(outcome_of(against_policy(run_set, policy)), Outcome::fail) << "counters are asked";
  policy.hardware_only = false;
  EXPECT_EQ(outcome_of(against_policy(run_set, policy)), Outcome::fail);
}

/// A collapse at the largest size is none of a policy's business that counts up to 64M.
TEST(AgainstPolicy, AsksOfTheSizesThatCount) {
  verdict::Run run = straight_run(10, 24);
  run.points.back().time_us = 10;  // dips: all others take longer
  Policy policy{.name = "ours", .rules = {{.max_dip_percent = 5}}};
  EXPECT_EQ(outcome_of(against_policy(measurement_with(run), policy)), Outcome::fail);
  policy.counted = CountedSizes{.bandwidth = {8192, 64U << 20U}};
  EXPECT_EQ(outcome_of(against_policy(measurement_with(run), policy)), Outcome::pass);
}

TEST(AgainstPolicy, ThePlateauIsOfTheSizesThatCount) {
  verdict::Run run = straight_run(0.1, 24);
  for (Point& point : run.points) {
    if (*point.size_bytes > 64U << 20U) *point.busbw_gigabytes_per_second /= 2;
  }
  Policy policy{.name = "ours", .rules = {{.min_line_rate_percent = 90}}};
  policy.counted = CountedSizes{.bandwidth = {128U << 20U, UINT64_MAX}};
  EXPECT_EQ(outcome_of(against_policy(measurement_with(run), policy)), Outcome::fail);
  policy.counted = CountedSizes{.bandwidth = {1U << 20U, 64U << 20U}};
  EXPECT_EQ(outcome_of(against_policy(measurement_with(run), policy)), Outcome::pass);
}

/// 8 NICs of 400 Gb/s at 0.94 GB/s: no rule about its bandwidth applies, so it is not a pass.
TEST(AgainstPolicy, ABandwidthThatNoRuleIsAboutIsOpen) {
  verdict::Run run = straight_run(10, 0.94);
  run.nics_per_node = 8;
  run.line_rate_gigabits_per_second = 400;
  const Policy policy{
      .name = "ours",
      .rules = {{.nics_per_node = 2, .min_line_rate_percent = 92}, {.max_dip_percent = 5}}};
  const Rows rows = against_policy(measurement_with(run), policy);
  EXPECT_EQ(outcome_of(rows), Outcome::inconclusive);
  EXPECT_EQ(only(rows, Subject::plateau).remark,
            "no rule is about the bandwidth of this collective on such NICs");
  EXPECT_EQ(outcome_of(against_policy(measurement_with(run),
                                      {.name = "ours", .rules = {policy.rules[1]}})),
            Outcome::pass)
      << "a policy without bandwidth does not ask";
}

}  // namespace
}  // namespace railgauge::verdict
