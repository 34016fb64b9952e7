#include "report/parts.hpp"

#include <gtest/gtest.h>

#include "report/row_group.hpp"

namespace railgauge::report {
namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

results::CollectiveBody with(const results::Measurement& measurement) {
  results::CollectiveRow row;
  row.size_bytes = 8;
  row.type = "float";
  row.algorithm = "ring";
  row.point.rails = {0};
  row.out_of_place = measurement;
  results::CollectiveBody body;
  body.collective = "all_reduce";
  body.rows.push_back(std::move(row));
  return body;
}

TEST(Parts, OfNothingAreNothing) {
  EXPECT_EQ(curves_part({}, {}), "");
  EXPECT_EQ(distribution_part({}), "");
  EXPECT_EQ(own_time_part({}, {}), "");
  EXPECT_EQ(placement_part({}), "");
  EXPECT_EQ(counters_part({}), "");
  EXPECT_EQ(predictions_part({}), "");
}

/// An algorithm for each size from 8 bytes on.
verdict::RunSet all_reduces(const std::string& name,
                            const std::vector<std::vector<std::string>>& algorithms) {
  verdict::Run run{.collective = "all_reduce", .nodes = 2, .ranks = 2};
  std::uint64_t size = 8;
  for (const auto& of_size : algorithms) {
    for (const std::string& algorithm : of_size) {
      verdict::Point point{.size_bytes = size, .type = "float", .algorithm = algorithm};
      point.time_us = algorithm == "ring" ? 7 : 5;
      run.points.push_back(point);
    }
    size *= 2;
  }
  return {.name = name, .runs = {run}};
}

TEST(Parts, ABaselineIsDrawnByTheAlgorithmsOfEachSize) {
  const auto ours = all_reduces("ours", {{"direct"}, {"direct"}, {"ring"}});
  const std::vector<std::string> both{"direct", "ring"};
  const std::string html =
      curves_part(ours, {.baselines = {all_reduces("before", {both, both, both})}});
  EXPECT_TRUE(holds(html,
                    R"("label":"baseline before, direct, ring","ours":false,"algorithm":"ring",)"
                    R"("points":[[8,5.0],[16,5.0],[32,7.0]])"))
      << html;
  const std::string other = curves_part(ours, {.baselines = {all_reduces("before", {{"tree"}})}});
  EXPECT_FALSE(holds(other, "baseline before")) << other;
}

TEST(Parts, TheHeadTellsTheWorstResultsFirst) {
  Report report;
  for (int number = 0; number < 9; ++number) {
    Result result;
    result.input = results::Document{};
    result.run_set.name = "r" + std::to_string(number);
    const auto answer = number == 7 ? verdict::Answer::failed : verdict::Answer::passed;
    result.judgement.parts = {
        {.criterion = "line rate", .report = verdict::report_of({{.answer = answer}})}};
    report.results.push_back(result);
  }
  const std::string html = head_part(report);
  EXPECT_TRUE(holds(html, "<p class=\"banner bad\">FAIL</p>\n<p class=\"sentence\">r7: FAIL"))
      << html;
}

TEST(Parts, HeatGrowsWithARanksOwnTime) {
  const std::string html = own_time_part(with({.rank_own_us = {10, 10, 10, 40}}), {});
  EXPECT_TRUE(holds(html, "<td class=\"heat-0\">1</td>")) << html;
  EXPECT_TRUE(holds(html, "<td class=\"heat-4\">4</td>")) << html;
  EXPECT_TRUE(holds(own_time_part(with({.rank_own_us = {10, 20}}), {}),
                    "<td>rank 1</td><td class=\"heat-2\">2</td>"));
}

TEST(Parts, CountersThatMovedErrorsFirst) {
  verdict::RunSet run_set;
  run_set.ports = {
      {.port = "a mlx5_0/1", .deltas = {{"port_xmit_data", 9}, {"rcvd_seq_err", 2}, {"x", 0}}}};
  const std::string html = counters_part(run_set);
  EXPECT_TRUE(holds(html, "<td class=\"bad\">2</td>")) << html;
  EXPECT_LT(html.find("rcvd_seq_err"), html.find("port_xmit_data"));
  EXPECT_FALSE(holds(html, "<td>x</td>"));
}

TEST(Parts, WhatASocketHadNoRoomForIsAnError) {
  verdict::RunSet run_set;
  run_set.ports = {{.port = "a", .deltas = {{"rcvd_overflow", 2}}}};
  EXPECT_TRUE(holds(counters_part(run_set),
                    "<td class=\"bad\">rcvd_overflow</td><td class=\"bad\">2</td>"));
}

TEST(Parts, RailsAreComparedOnEveryRank) {
  const results::RailResult fast{.rail = 0, .rank_us = {100, 110, std::nullopt}};
  const results::RailResult slow{.rail = 1, .rank_us = {100, 450, 120}};
  const std::string html = rail_times_part(with({.rails = {fast, slow}}), {});
  EXPECT_TRUE(holds(html, "<th>rail 0</th><th>rail 1</th>")) << html;
  EXPECT_TRUE(holds(html,
                    "<td>rank 1</td><td class=\"heat-0\">1.1</td>"
                    "<td class=\"heat-4\">4.5</td>"))
      << html;
  EXPECT_TRUE(holds(html, "<td>rank 2</td><td></td><td class=\"heat-0\">1.2</td>")) << html;
  EXPECT_EQ(rail_times_part(with({.rails = {fast}}), {}), "");
  EXPECT_EQ(rail_times_part(with({.wrong = 0}), {}), "");
}

TEST(Parts, RailsHaveABarEach) {
  const results::RailResult fast{.rail = 0, .busbw_gigabytes_per_second = 40};
  const results::RailResult slow{.rail = 1, .busbw_gigabytes_per_second = 4};
  const std::string html = parts_of(with({.rails = {fast, slow}}), {});
  EXPECT_TRUE(holds(html, "<td>rail 1</td><td>4</td><td>███</td>")) << html;
  EXPECT_FALSE(holds(parts_of(with({.rails = {fast}}), {}), "<h2>Rails</h2>"));
}

TEST(Parts, APageLinksToItsDocumentAndSaysTheOutcomeOnce) {
  Result result;
  result.input = results::Document{};
  result.run_set.name = "a b.json";
  result.link = "../a b.json";
  result.judgement.parts = {
      {.criterion = "run", .report = {.coverage = {{.check = "rows", .planned = 1, .tested = 1}}}}};
  const std::string html = page({.results = {result}});
  EXPECT_TRUE(holds(html, "<h1><a href=\"../a%20b.json\">a b.json</a></h1>"));
  const auto first = html.find(">PASS");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(html.find("PASS", first + 5), std::string::npos);
}

/// Forty ranks, four on a host.
Ranks forty_ranks() {
  Ranks ranks;
  for (int rank = 0; rank < 40; ++rank) {
    ranks.push_back({.rank = rank, .host = "h" + std::to_string(rank / 4)});
  }
  return ranks;
}

TEST(Parts, ManyRanksAreTakenByHost) {
  results::Measurement measurement;
  measurement.rank_own_us.assign(40, 10);
  measurement.rank_own_us[37] = 40;
  const std::string html = own_time_part(with(measurement), forty_ranks());
  EXPECT_TRUE(holds(html, "<td>h9</td><td class=\"heat-4\">4</td><td>rank 37</td>")) << html;
  EXPECT_FALSE(holds(html, "<th>rank 1</th>"));
}

TEST(Parts, HostsThatAreSlowStandFirstAndTheOthersAreFolded) {
  Ranks ranks(40);
  for (int rank = 0; rank < 40; ++rank)
    ranks[static_cast<std::size_t>(rank)] = {.rank = rank, .host = "h" + std::to_string(rank)};
  results::Measurement measurement;
  measurement.rank_own_us.assign(40, 10);
  measurement.rank_own_us[20] = 15;
  measurement.rank_own_us[30] = 20;
  const std::string html = own_time_part(with(measurement), ranks);
  EXPECT_LT(html.find(">h30<"), html.find(">h20<"));
  EXPECT_LT(html.find(">h20<"), html.find(">h0<"));
  EXPECT_TRUE(holds(html, "<summary>28 more hosts</summary>")) << html;
}

TEST(Parts, ManyHostsThatAreAlikeAreOneLine) {
  results::Document document;
  for (int host = 0; host < 40; ++host) {
    document.ranks.push_back({.rank = host,
                              .host = "h" + std::to_string(host),
                              .numa_node = 0,
                              .rails = {{.rail = 0, .device = "mlx5_0", .numa_node = 0}}});
  }
  document.ranks[7].rails[0].firmware = "old";
  const std::string html = placement_part(document);
  EXPECT_TRUE(holds(html, "<td>h0, h1, h2 and 36 more</td><td>39</td>")) << html;
  EXPECT_TRUE(holds(html, "<td>h7</td><td>1</td>")) << html;
  EXPECT_LT(html.find("<td>h7</td><td>1</td>"), html.find("<td>39</td>")) << "rare ones come first";
  document.ranks[9].numa_node = 1;
  EXPECT_TRUE(holds(placement_part(document), "<td class=\"warn\">1 of 39</td>"));
}

TEST(Parts, CountersOfManyPortsAreSummedUp) {
  verdict::RunSet run_set;
  for (int port = 0; port < 40; ++port) {
    run_set.ports.push_back(
        {.port = "p" + std::to_string(port), .deltas = {{"rcvd_seq_err", port == 8 ? 5 : 0}}});
  }
  EXPECT_TRUE(holds(counters_part(run_set),
                    "<td class=\"bad\">1 of 40</td><td class=\"bad\">5</td><td>0</td>"
                    "<td class=\"bad\">5</td><td>p8</td><td>0</td><td>p0</td>"))
      << counters_part(run_set);
}

TEST(Parts, PredictionsStandNextToMeasurements) {
  results::CollectiveBody body = with({.time = {.p50_us = 5.5}});
  EXPECT_EQ(predictions_part(body), "");
  body.rows[0].predictions = {{"ring", 4.5}};
  EXPECT_TRUE(holds(predictions_part(body), "<td>8</td><td>5.5</td><td>4.5</td>"));
}

results::Rank rank_on(int number, int numa_node) {
  return {.rank = number,
          .host = "a<b",
          .numa_node = numa_node,
          .rails = {{.rail = 0, .device = "mlx5_0", .numa_node = 0},
                    {.rail = 1, .device = "mlx5_1", .numa_node = 1}}};
}

TEST(Parts, ARankFarFromItsRailIsMarked) {
  EXPECT_TRUE(holds(placement_part({.ranks = {rank_on(0, 0)}}), "not the rank&#39;s"));
}

/// Of two hosts on one rail, one does not reach the other.
TEST(Parts, PairsHaveTheirMapAndTheirPaths) {
  const results::Endpoint a{.host = "a", .device = "mlx5_0"};
  const results::Endpoint b{.host = "b", .device = "mlx5_0"};
  const results::PairFigures works{.gigabytes_per_second = 12.5,
                                   .time = measure::Summary{.n = 20, .p50_us = 2}};
  const results::PairsBody body{.planned = 2,
                                .summary = {{.mode = "connect",
                                             .measured = 2,
                                             .finished = 1,
                                             .failed = 1,
                                             .median_gigabytes_per_second = 12.5}},
                                .rows = {{.from = a, .to = b, .mode = "connect", .figures = works},
                                         {.from = b,
                                          .to = a,
                                          .mode = "connect",
                                          .figures = {.reason = "no <answer>"},
                                          .verdict = results::PairVerdict::fail,
                                          .remark = "no <answer>"}}};
  const std::string html = parts_of(body, {});
  EXPECT_TRUE(holds(html, "<svg")) << html;
  EXPECT_TRUE(holds(html, "12.5 GB/s, 2 us</title>")) << "the pair has no square in the picture";
  EXPECT_TRUE(holds(html, "<td>connect</td><td>same rail</td><td>2</td><td class=\"bad\">1</td>"));
  EXPECT_TRUE(holds(html, "<td class=\"bad\">FAIL</td>"));
  EXPECT_TRUE(holds(html, "no &lt;answer&gt;"));
}

TEST(Parts, FindingsSayTheirOddsWhereTheyAreKnown) {
  finding::Finding found =
      finding::found("isolation", finding::Cause::packet_loss,
                     {.scope = finding::Scope::link, .switches = {"<a>", "b"}});
  EXPECT_FALSE(holds(findings_part({.findings = {found}}), "odds"));
  found.next = finding::Location{.scope = finding::Scope::node, .switches = {"b"}};
  found.log10_odds = 7.9;
  found.log10_odds_to_next = 2;
  const std::string html = findings_part({.findings = {found}});
  EXPECT_TRUE(holds(html, "link &lt;a&gt; -&gt; b: packet loss")) << html;
  EXPECT_TRUE(holds(html, "<td>1e7 : 1</td><td>switch b</td><td>100 : 1</td>")) << html;
}

/// The bad test comes first, with its number, to which findings refer.
TEST(Parts, ASearchForFaultyComponentsHasItsTests) {
  results::IsolateBody body;
  body.rows.resize(2);
  body.rows[1].hops = {"a", "", "c"};
  body.rows[1].symptoms = "lossy";
  const std::string tests = parts_of(body, {});
  EXPECT_TRUE(holds(tests, "<td>a &gt; ? &gt; c</td>")) << tests;
  EXPECT_LT(tests.find("<td>1</td>"), tests.find("<td>0</td>")) << tests;
  EXPECT_EQ(parts_of(results::IsolateBody{}, {}), "");
}

TEST(Parts, ATestOfCongestionHasItsStepsAndFlows) {
  results::CongestionBody body{.verdict = "ECN_FIRST"};
  body.rows.resize(1);
  body.rows[0].step = "4 senders, load 2";
  body.rows[0].marks = {.counted = true, .observer = "NIC", .count = 7, .first_until_s = 1.5};
  body.rows[0].pauses.counted = true;
  body.rows[0].flows.resize(2);
  body.rows[0].flows[1].victim = true;
  const std::string parts = parts_of(body, {});
  EXPECT_TRUE(holds(parts, "<td>7 (NIC), first at 1.5 s</td><td>0</td><td>not counted</td>"))
      << parts;
  EXPECT_TRUE(holds(parts, "4 senders, load 2 (victim)")) << parts;
  EXPECT_EQ(what_ran(body), "congestion, 1 step: ECN_FIRST");
  EXPECT_EQ(parts_of(results::CongestionBody{}, {}), "");
}

TEST(Parts, AJobHasItsOperationsAndSteps) {
  results::JobBody body{.job = {.workload = "moe"}};
  body.job.operations.push_back(
      {.name = "dispatch", .kind = "alltoallv", .group = "ep", .times = 58, .slowest_us = 12.5});
  body.rows.push_back({.step = 0, .time_us = 700, .compute_us = 400, .exposed_us = 300});
  const std::string parts = parts_of(body, {});
  EXPECT_TRUE(holds(parts, "<td>dispatch</td><td>alltoallv</td><td>ep</td>")) << parts;
  EXPECT_TRUE(holds(parts, "300")) << parts;
  EXPECT_FALSE(holds(parts, "Latencies")) << "nothing arrives";
  EXPECT_EQ(what_ran(body), "moe, 1 step");
  body.job.operations[0].latency = results::JobLatency{.time = {.n = 9, .max_us = 4321}};
  EXPECT_TRUE(holds(parts_of(body, {}), "<td>4321</td>")) << parts_of(body, {});
  EXPECT_EQ(parts_of(results::JobBody{}, {}), "");
}

results::CollectiveRow row(std::uint64_t size, unsigned queue_pairs, std::uint64_t cycle = 0) {
  return {.size_bytes = size,
          .type = "float",
          .op = "sum",
          .algorithm = "ring",
          .point = {.rails = {0}, .queue_pairs = queue_pairs},
          .cycle = cycle,
          .out_of_place = results::Measurement{}};
}

TEST(RowGroup, DiffersInNothingButSize) {
  const results::CollectiveBody body{"all_reduce",
                                     {row(8, 1), row(8, 2), row(16, 1), row(8, 1, 1)}};
  const auto groups = row_groups_of(body);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].title, "ring, float sum, 1 queue pair, out of place");
  ASSERT_EQ(groups[0].sizes.size(), 2u);
  EXPECT_EQ(groups[0].sizes[1].size_bytes, 16u);
  EXPECT_EQ(groups[0].sizes[1].measurement, &*body.rows[2].out_of_place);
  EXPECT_EQ(groups[2].title, "ring, float sum, 1 queue pair, out of place, cycle 1");
  EXPECT_TRUE(row_groups_of({}).empty());
}

}  // namespace
}  // namespace railgauge::report
