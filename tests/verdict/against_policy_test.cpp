#include "verdict/against.hpp"

#include <gtest/gtest.h>

#include "sample_runs.hpp"

namespace railgauge::verdict {
namespace {

Findings judged(const verdict::Run& run, const Rule& rule) {
  return against_policy(measurement_with(run), {.name = "ours", .rules = {rule}});
}

Verdict verdict_by(const verdict::Run& run, const Rule& rule) {
  return verdict_of(judged(run, rule));
}

TEST(AgainstPolicy, HoldsThePlateauToAShareOfLineRate) {
  EXPECT_EQ(verdict_by(straight_run(10, 24), {.min_line_rate_percent = 95}), Verdict::pass);
  EXPECT_EQ(verdict_by(straight_run(10, 23), {.min_line_rate_percent = 95}), Verdict::fail);
}

TEST(AgainstPolicy, HoldsEverySizeOfAClassToIt) {
  verdict::Run run = straight_run(0.1, 24);
  const Rule rule{.from_bytes = 1U << 20U, .to_bytes = 4U << 20U, .min_line_rate_percent = 90};
  EXPECT_EQ(judged(run, rule).size(), 3u);
  EXPECT_EQ(verdict_by(run, rule), Verdict::pass);
  run.points[18].busbw_gigabytes_per_second = 20;  // 2M
  EXPECT_EQ(verdict_by(run, rule), Verdict::fail);
}

TEST(AgainstPolicy, AsksOnlyWhatARuleIsAbout) {
  const verdict::Run run = straight_run(10, 1);  // fails whatever is asked
  const auto asked = [&](Rule rule) {
    rule.min_line_rate_percent = 50;
    return verdict_by(run, rule) == Verdict::fail;
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
            Verdict::no_reference);
}

TEST(AgainstPolicy, BoundsTheTail) {
  verdict::Run run = straight_run(10, 24);
  EXPECT_EQ(verdict_by(run, {.max_p999_over_p50 = 2}), Verdict::no_reference);  // it has no p99.9
  for (Point& point : run.points) point.p999_us = *point.time_us * 1.5;
  EXPECT_EQ(verdict_by(run, {.max_p999_over_p50 = 2}), Verdict::pass);
  run.points[3].p999_us = *run.points[3].time_us * 3;
  const Finding tail = only(judged(run, {.max_p999_over_p50 = 2}), Subject::tail);
  EXPECT_EQ(tail.verdict, Verdict::fail);
  EXPECT_EQ(tail.size_bytes, 64u);
  EXPECT_NEAR(tail.ours.value_or(0), 3, 1e-9);
}

TEST(AgainstPolicy, BoundsTheTailInMilliseconds) {
  verdict::Run run = straight_run(10, 24);
  EXPECT_EQ(verdict_by(run, {.max_p999_ms = 5}), Verdict::no_reference);
  for (Point& point : run.points) point.p999_us = 4999;
  EXPECT_EQ(verdict_by(run, {.max_p999_ms = 5}), Verdict::pass);
  run.points[3].p999_us = 5001;
  const Finding tail = only(judged(run, {.max_p999_ms = 5}), Subject::tail);
  EXPECT_EQ(tail.verdict, Verdict::fail);
  EXPECT_EQ(tail.unit, "ms");
}

TEST(AgainstPolicy, BoundsDips) {
  verdict::Run run = straight_run(10, 24);
  EXPECT_EQ(verdict_by(run, {.max_dip_percent = 5}), Verdict::pass);
  run.points.back().busbw_gigabytes_per_second = 20;
  EXPECT_EQ(verdict_by(run, {.max_dip_percent = 5}), Verdict::fail);
  EXPECT_EQ(verdict_by(run, {.max_dip_percent = 30}), Verdict::pass);
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
  EXPECT_EQ(verdict_by(run, rule), Verdict::no_reference);  // one rail: no rule is about it
  for (Point& point : run.points) {
    point.slowest_rail = {.rail = 1, .percent = 3};
  }
  EXPECT_EQ(verdict_by(run, rule), Verdict::pass);
  run.points.front().slowest_rail->percent = 80;  // of so small a size it is chance
  EXPECT_EQ(verdict_by(run, rule), Verdict::pass);
  run.points.back().slowest_rail = {.rail = 3, .percent = 40};
  const Finding rail = only(judged(run, rule), Subject::rail);
  EXPECT_EQ(rail.verdict, Verdict::fail);
  EXPECT_EQ(rail.ours.value_or(0), 40);
  EXPECT_NE(rail.remark.find("rail 3 is slowest"), std::string::npos);
}

TEST(AgainstPolicy, CountersThatHaveToStay) {
  const Policy policy{.name = "ours", .counters_that_stay = {"seq_err", "resent"}};
  const auto moved = [&](std::vector<CounterDeltas> ports) {
    RunSet run_set{.runs = {}, .ports = std::move(ports)};
    return against_policy(run_set, policy);
  };
  EXPECT_EQ(verdict_of(moved({{.port = "a", .deltas = {{"seq_err", 0}, {"packets", 9}}}})),
            Verdict::pass);
  EXPECT_EQ(verdict_of(moved({{.port = "a", .deltas = {{"packets", 9}}}})), Verdict::no_reference);
  const Findings findings =
      moved({{.port = "a", .deltas = {{"seq_err", 0}}}, {.port = "b", .deltas = {{"seq_err", 3}}}});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::fail);
  EXPECT_EQ(findings[0].remark, "b seq_err");
  EXPECT_EQ(findings[0].ours, 3);
}

TEST(AgainstPolicy, RulesForHardwareHaveNoAnswerForSoftware) {
  RunSet run_set = measurement_with(straight_run(10, 1));  // fails whatever is asked
  Policy policy{.name = "ours", .rules = {{.min_line_rate_percent = 90}}};
  policy.hardware_only = true;
  EXPECT_EQ(verdict_of(against_policy(run_set, policy)), Verdict::fail);
  run_set.software = true;
  policy.max_per_million_packets = {{telemetry::Counted::corruption, 0}};
  run_set.ports = {{.port = "a", .deltas = {{"icrc_err", 0}}}};
  EXPECT_EQ(verdict_of(against_policy(run_set, policy)), Verdict::no_reference);
  run_set.ports[0].deltas["icrc_err"] = 1;
  EXPECT_EQ(verdict_of(against_policy(run_set, policy)), Verdict::fail) << "counters are asked";
  policy.hardware_only = false;
  EXPECT_EQ(verdict_of(against_policy(run_set, policy)), Verdict::fail);
}

/// A collapse at the largest size is none of a policy's business that counts up to 64M.
TEST(AgainstPolicy, AsksOfTheSizesThatCount) {
  verdict::Run run = straight_run(10, 24);
  run.points.back().time_us = 10;  // dips: all others take longer
  Policy policy{.name = "ours", .rules = {{.max_dip_percent = 5}}};
  EXPECT_EQ(verdict_of(against_policy(measurement_with(run), policy)), Verdict::fail);
  policy.counted = CountedSizes{.bandwidth = {8192, 64U << 20U}};
  EXPECT_EQ(verdict_of(against_policy(measurement_with(run), policy)), Verdict::pass);
}

TEST(AgainstPolicy, ThePlateauIsOfTheSizesThatCount) {
  verdict::Run run = straight_run(0.1, 24);
  for (Point& point : run.points) {
    if (*point.size_bytes > 64U << 20U) *point.busbw_gigabytes_per_second /= 2;
  }
  Policy policy{.name = "ours", .rules = {{.min_line_rate_percent = 90}}};
  policy.counted = CountedSizes{.bandwidth = {128U << 20U, UINT64_MAX}};
  EXPECT_EQ(verdict_of(against_policy(measurement_with(run), policy)), Verdict::fail);
  policy.counted = CountedSizes{.bandwidth = {1U << 20U, 64U << 20U}};
  EXPECT_EQ(verdict_of(against_policy(measurement_with(run), policy)), Verdict::pass);
}

/// A plane that is down is no failure unless the policy says so.
TEST(AgainstPolicy, PlanesThatHaveToBeThere) {
  const auto asked = [](bool all_planes, std::vector<std::string> lost) {
    RunSet run_set;
    run_set.lost_planes = std::move(lost);
    return against_policy(run_set, {.name = "ours", .all_planes = all_planes});
  };
  EXPECT_TRUE(asked(false, {"host1 mlx5_0/6, rail 0 plane 1: its port is DOWN"}).empty());
  EXPECT_EQ(verdict_of(asked(true, {})), Verdict::pass);
  const Findings findings = asked(true, {"host1 mlx5_0/6, rail 0 plane 1: its port is DOWN"});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::fail);
  EXPECT_EQ(findings[0].remark, "host1 mlx5_0/6, rail 0 plane 1: its port is DOWN");
}

TEST(Policy, MayWantNobodyBlamed) {
  const auto asked = [](bool knows_edges, const std::vector<results::Finding>& blamed) {
    RunSet run_set = measurement_with(straight_run(10, 24));
    run_set.knows_edges = knows_edges;
    run_set.blamed = blamed;
    return against_policy(run_set, {.name = "ours", .nobody_blamed = true});
  };
  EXPECT_EQ(verdict_of(asked(true, {})), Verdict::pass);
  EXPECT_EQ(verdict_of(asked(false, {})), Verdict::no_reference);
  const Findings found = asked(true, {{.cause = "latency", .text = "rank 2 is slow"}});
  EXPECT_EQ(verdict_of(found), Verdict::fail);
  EXPECT_EQ(only(found, Subject::path).remark, "rank 2 is slow");
}

}  // namespace
}  // namespace railgauge::verdict
