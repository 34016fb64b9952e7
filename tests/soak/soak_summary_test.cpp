#include "soak/soak_summary.hpp"

#include <gtest/gtest.h>

#include "soak/sample_record.hpp"

namespace railgauge::soak {
namespace {

constexpr double kHour_s = 3600;

TEST(TotalsTest, CompareLaterWindowsWithTheFirstHour) {
  Totals totals(sample_header().plan);
  for (int i = 0; i < 3; ++i) {
    Window window = sample_window(1, 100);
    totals.take(window, i);
    EXPECT_NEAR(window.phases[0].jct_ratio.value(), 1, 0.01);
  }
  for (int i = 0; i < 100; ++i) {
    Window later = sample_window(2, 150);
    totals.take(later, kHour_s);
    EXPECT_NEAR(later.phases[0].jct_ratio.value(), 1.5, 0.01) << "it does not get used to it";
  }
}

TEST(TotalsTest, AddUpOverWindows) {
  Totals totals(sample_header().plan);
  for (const std::uint64_t number : {1, 2}) {
    Window window = sample_window(number, 100);
    totals.take(window, 0);
  }
  const auto rows = totals.rows();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].iterations, 2000U);
  EXPECT_EQ(rows[0].verified_iterations, 20U);
  EXPECT_EQ(rows[0].bytes, 2400U);
  EXPECT_EQ(rows[0].max_us, 400);
  EXPECT_NEAR(rows[0].p50_us, 100, 1);
  EXPECT_NEAR(rows[0].busbw_gigabytes_per_second, 40, 0.5);
  EXPECT_EQ(rows[1].iterations, 0U);
}

TEST(TotalsTest, HaveTheDeviationOfTheJobCompletionTime) {
  Totals totals(sample_header().plan);
  for (const double p50_us : {100, 120}) {
    Window window = sample_window(1, p50_us);
    totals.take(window, p50_us > 100 ? kHour_s : 0);
  }
  EXPECT_NEAR(totals.rows()[0].jct_ratio.value(), 1.2, 0.01);
  EXPECT_NEAR(totals.rows()[0].jct_ratio_deviation.value(), 0.1414, 0.005);
}

TEST(SoakSummaryTest, IsTheSameReadAgain) {
  SoakSummary live(sample_header());
  SoakSummary again(sample_header());
  for (std::uint64_t number = 1; number <= 5; ++number) {
    Window window = sample_window(number, 100 + static_cast<double>(number));
    if (number == 3) window.ports[0].moved["link_downed"] = 1;
    for (const finding::Finding& one : live.take(window)) again.take_again(one);
    again.take_again(from_text(to_text(window)));
  }
  EXPECT_EQ(again.last_window(), 5U);
  EXPECT_EQ(again.measured_s(), live.measured_s());
  results::SoakBody first;
  results::SoakBody second;
  live.fill(first);
  again.fill(second);
  EXPECT_EQ(first.rows[0].p50_us, second.rows[0].p50_us);
  EXPECT_EQ(first.rows[0].jct_ratio, second.rows[0].jct_ratio);
  EXPECT_EQ(first.figures.windows, second.figures.windows);
  EXPECT_EQ(first.figures.deciding_windows, std::vector<std::uint64_t>{3});
  EXPECT_EQ(reasons(live.report()), reasons(again.report()));
}

/// What the sample's windows run is all of its plan.
Header of_one_phase() {
  Header header = sample_header();
  header.plan.resize(1);
  return header;
}

TEST(SoakSummaryTest, PassesOrFails) {
  SoakSummary summary(of_one_phase());
  EXPECT_EQ(outcome(summary.report()), finding::Outcome::inconclusive) << "no window is complete";
  Window window = sample_window(1);
  EXPECT_TRUE(summary.take(window).empty());
  EXPECT_EQ(outcome(summary.report()), finding::Outcome::pass);
  window = sample_window(2);
  window.ports[0].moved["packet_seq_err"] = 1;  // one lost packet
  EXPECT_EQ(summary.take(window).size(), 1U);
  EXPECT_EQ(outcome(summary.report()), finding::Outcome::fail);
  State state;
  summary.fill(state);
  EXPECT_EQ(state.outcome, finding::Outcome::fail);
  EXPECT_NE(state.reason.find("packet loss"), std::string::npos) << state.reason;
}

TEST(SoakSummaryTest, AStalledProcessDoesNotFail) {
  SoakSummary summary(of_one_phase());
  for (std::uint64_t number = 1; number <= 2; ++number) {
    Window window = sample_window(number);
    for (int rank = 0; rank < 4; ++rank)
      window.ranks.push_back(
          {.load = {.rank = rank}, .longest_descheduled_us = rank == 1 ? 8e6 : 0});
    EXPECT_EQ(summary.take(window).size(), 1U);
  }
  const finding::Report report = summary.report();
  ASSERT_EQ(report.findings.size(), 1U) << "both are of one place";
  EXPECT_EQ(report.findings[0].when->count, 2U);
  EXPECT_EQ(outcome(report), finding::Outcome::pass);
  EXPECT_EQ(outcome(report, {.fail_at = finding::Severity::warning}), finding::Outcome::fail);
}

TEST(SoakSummaryTest, RemembersGapsAndFindings) {
  SoakSummary summary(sample_header());
  Gap gap;
  gap.after_window = 3;
  gap.why = "power cut";
  (void)summary.take(gap);
  summary.take_again(finding::found("soak", finding::Cause::link_down, {}));
  results::SoakBody body;
  summary.fill(body);
  ASSERT_EQ(body.gaps.size(), 1U);
  EXPECT_EQ(body.gaps[0].why, "power cut");
  EXPECT_EQ(body.events_seen, 1U);
  EXPECT_EQ(summary.report().findings.at(0).cause, finding::Cause::link_down);
}

Record three_windows() {
  Record record{.header = sample_header()};
  for (std::uint64_t number = 1; number <= 3; ++number) {
    record.windows.push_back(sample_window(number));
    record.windows.back().start = record.header.started + std::chrono::seconds(number - 1);
  }
  return record;
}

State stopped_by_a_full_disk() {
  return {.run = "soak-1", .samples_stopped = "cannot write the record: No space; no more samples"};
}

std::string cut_of(const Record& record, const std::optional<State>& state, int seconds_later) {
  const auto cut =
      cut_short(record, state, record.windows.back().end() + std::chrono::seconds(seconds_later));
  if (!cut) return "";
  EXPECT_EQ(outcome(finding::Report{.coverage = {*cut}}), finding::Outcome::inconclusive);
  return cut->skipped.at(0);
}

TEST(CutShort, ADiskThatWasFullIsWhereTheRecordEnds) {
  EXPECT_EQ(
      cut_of(three_windows(), stopped_by_a_full_disk(), 1),
      "the record ends at window 3 of 60: cannot write the record: No space; no more samples");
}

TEST(CutShort, WhatTheRunFoundWithoutARecordIsTold) {
  State state = stopped_by_a_full_disk();
  state.outcome = finding::Outcome::fail;
  state.reason = "packet loss";
  EXPECT_NE(cut_of(three_windows(), state, 1).find("; the run failed: packet loss"),
            std::string::npos);
}

TEST(CutShort, ARunThatWasKilledAddsNothing) {
  EXPECT_NE(cut_of(three_windows(), State{.run = "soak-1"}, 64)
                .find("the record ends at window 3 of 60: no window for 64 s"),
            std::string::npos);
}

TEST(CutShort, ARecordThatGrowsIsNot) {
  EXPECT_EQ(cut_of(three_windows(), State{.run = "soak-1"}, 62), "");
  EXPECT_EQ(cut_of(three_windows(), std::nullopt, 1), "");
}

TEST(CutShort, AStateOfAnotherSoakSaysNothing) {
  State other = stopped_by_a_full_disk();
  other.run = "soak-2";
  EXPECT_EQ(cut_of(three_windows(), other, 1), "");
}

TEST(CutShort, ARecordWithAnEndIsWhole) {
  Record record = three_windows();
  record.end = End{.complete = true};
  EXPECT_EQ(cut_of(record, stopped_by_a_full_disk(), 1000), "");
}

}  // namespace
}  // namespace railgauge::soak
