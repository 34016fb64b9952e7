#include "experiments/soak/rank_report.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

results::Rank rank_on(int number, const std::string& host) {
  results::Rank rank{.rank = number, .host = host};
  for (int rail = 0; rail < 2; ++rail) {
    rank.rails.push_back({.rail = rail, .device = "mlx5_" + std::to_string(rail)});
  }
  return rank;
}

PortReading reading_of(const std::string& host, int rail) {
  return {.sample = {.host = host, .device = "mlx5_" + std::to_string(rail), .rail = rail}};
}

results::EdgeTimes edge(int from, int to, int rail, double p50_us, double max_us) {
  return {.from = from,
          .to = to,
          .rail = rail,
          .to_rail = rail,
          .round = {.p50_us = p50_us, .max_us = max_us}};
}

/// Two ranks on a host each, one turn.
struct TwoRanks {
  std::vector<results::Rank> ranks{rank_on(0, "host0"), rank_on(1, "host1")};
  std::vector<soak::PhaseSample> turns{{.phase = 3,
                                        .iterations = 100,
                                        .p50_us = 50,
                                        .busbw_gigabytes_per_second = 10,
                                        .slowest = {.us = 99}}};
  std::vector<RankReport> reports{2};

  TwoRanks() {
    for (std::size_t i = 0; i < 2; ++i) {
      const std::string host = "host" + std::to_string(i);
      reports[i].ports = {reading_of(host, 0), reading_of(host, 1)};
      reports[i].turns.resize(1);
      reports[i].turns[0].rails = {{.rail = 0, .bytes = 600, .p50_us = 40},
                                   {.rail = 1, .bytes = 300, .p50_us = 45}};
    }
  }
  [[nodiscard]] soak::Window window() const { return window_of(ranks, turns, reports); }
};

TEST(RankReportTest, RailsAreAddedUpOverRanks) {
  TwoRanks all;
  all.reports[1].turns[0].rails[1].p50_us = 49;
  const auto phase = all.window().phases.at(0);
  ASSERT_EQ(phase.rails.size(), 2U);
  EXPECT_EQ(phase.rails[0].bytes, 1200U);
  EXPECT_EQ(phase.rails[1].bytes, 600U);
  EXPECT_EQ(phase.rails[1].p50_us, 49) << "of the rank that took longest";
  EXPECT_GT(phase.rails[0].busbw_gigabytes_per_second, phase.rails[1].busbw_gigabytes_per_second);
}

/// As with small messages on soft devices.
TEST(RankReportTest, BandwidthIsRoundedToKilobytesASecond) {
  TwoRanks all;
  all.turns[0].busbw_gigabytes_per_second = 0.0001234;
  EXPECT_DOUBLE_EQ(all.window().phases.at(0).busbw_gigabytes_per_second, 0.000123);
}

TEST(RankReportTest, ARailThatCarriedNothingIsNotThere) {
  TwoRanks all;
  for (RankReport& report : all.reports) report.turns[0].rails[1].bytes = 0;
  EXPECT_EQ(all.window().phases.at(0).rails.size(), 1U);
}

TEST(RankReportTest, TheSlowestIterationHasARankAndTheSlowestChunkItsEnds) {
  TwoRanks all;
  all.reports[1].turns[0].longest_us = 99;
  all.reports[0].turns[0].edges = {edge(0, 1, 0, 20, 30), edge(0, 1, 1, 20, 80)};
  all.reports[1].turns[0].edges = {edge(1, 0, 0, 20, 60)};
  const soak::Slowest slowest = all.window().phases.at(0).slowest;
  EXPECT_EQ(slowest.us, 99);
  EXPECT_EQ(slowest.rank, 1);
  EXPECT_EQ(slowest.from, 0);
  EXPECT_EQ(slowest.to, 1);
  EXPECT_EQ(slowest.rail, 1);
  EXPECT_EQ(slowest.chunk_us, 80);
}

TEST(RankReportTest, WhatGoesThroughMemoryHasNoSlowestConnection) {
  EXPECT_FALSE(TwoRanks().window().phases.at(0).slowest.from);
}

TEST(RankReportTest, PortsKnowTheChunksThatTheySentAndReceived) {
  TwoRanks all;
  all.reports[0].turns[0].edges = {edge(0, 1, 1, 20, 30)};
  const soak::Window window = all.window();
  ASSERT_EQ(window.ports.size(), 4U);
  EXPECT_TRUE(window.ports[0].times.empty()) << "host0 rail 0";
  ASSERT_EQ(window.ports[1].times.size(), 1U);
  EXPECT_EQ(window.ports[1].times[0].phase, 3U);
  EXPECT_EQ(window.ports[1].times[0].sent_us, 20);
  EXPECT_FALSE(window.ports[1].times[0].received_us);
  EXPECT_EQ(window.ports[3].times.at(0).received_us, 20);
}

TEST(RankReportTest, RanksThatShareAPortShareItsTimes) {
  TwoRanks all;
  all.ranks.push_back(rank_on(2, "host0"));
  all.reports.emplace_back().turns.resize(1);  // rank 0 reads the ports of its host
  all.reports[2].turns[0].edges = {edge(2, 1, 0, 70, 70)};
  all.reports[0].turns[0].edges = {edge(0, 1, 0, 30, 30)};
  const soak::Window window = all.window();
  EXPECT_EQ(window.ports.at(0).times.at(0).sent_us, 30) << "the lower of the middle two";
  EXPECT_EQ(window.ranks.at(2).load.rank, 2);
}

TEST(RankReportTest, ComplaintsAndFindingsAreKept) {
  TwoRanks all;
  all.reports[1].turns[0].data_error = "block 3: 1 wrong elements";
  all.turns[0].wrong = 1;
  all.turns[0].findings = {finding::found("verification", finding::Cause::wrong_data, {})};
  const auto phase = all.window().phases.at(0);
  EXPECT_EQ(phase.wrong, 1U);
  EXPECT_EQ(phase.data_errors, (std::vector<std::string>{"block 3: 1 wrong elements"}));
  EXPECT_EQ(phase.findings.at(0).cause, finding::Cause::wrong_data);
}

}  // namespace
}  // namespace railgauge::runner
