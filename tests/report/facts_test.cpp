#include "report/facts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace railgauge::report {
namespace {

std::string text_of(const Result& result, const std::string& name) {
  const std::vector<Fact> facts = facts_of(result);
  const auto found = std::ranges::find(facts, name, &Fact::name);
  return found == facts.end() ? "" : found->text;
}

results::CollectiveRow row(std::uint64_t size, const char* algorithm, double busbw) {
  results::CollectiveRow row;
  row.size_bytes = size;
  row.type = "float";
  row.op = "sum";
  row.algorithm = algorithm;
  row.point.rails = {0};
  row.out_of_place = results::Measurement{};
  row.out_of_place->time.p50_us = static_cast<double>(size) / (1000 * busbw);
  row.out_of_place->algbw_gigabytes_per_second = busbw;  // as of two ranks
  row.out_of_place->busbw_gigabytes_per_second = busbw;
  return row;
}

results::Rank rank(int number, const char* host, results::DeviceKind kind) {
  return {.rank = number,
          .host = host,
          .rails = {{.rail = 0,
                     .device = "mlx5_0",
                     .address = host,
                     .link_gigabits_per_second = 400,
                     .kind = kind}}};
}

/// Of two hosts with a NIC each; a ring reaches 45 GB/s of 50, a tree 20.
Result of(results::DeviceKind kind) {
  Result result;
  results::Document document{.start = std::chrono::sys_days(std::chrono::January / 31 / 2026),
                             .ranks = {rank(0, "a", kind), rank(1, "b", kind)}};
  document.exit_code = results::ExitCode::ok;
  document.end = document.start + std::chrono::seconds(90);
  document.body = results::CollectiveBody{
      "all_reduce", {row(1024, "ring", 4), row(1048576, "ring", 45), row(1048576, "tree", 20)}};
  result.input = document;
  result.run_set = run_set_of(result.input, "x.json");
  result.judgement = verdict::compared(result.run_set, {});
  return result;
}

TEST(Facts, SayWhatRanWhenAndWhere) {
  const Result result = of(results::DeviceKind::hardware);
  EXPECT_EQ(text_of(result, "what ran"), "all reduce by ring, tree, float sum, 1K to 1M");
  EXPECT_EQ(text_of(result, "when"), "2026-01-31T00:00:00Z, 90 s");
  EXPECT_EQ(text_of(result, "where"), "2 hosts (a, b); 2 ranks, 1 on each");
  EXPECT_EQ(text_of(result, "NICs"), "2 NICs on 1 rail, 400 Gb/s (50 GB/s) each; hardware; mlx5_0");
}

TEST(Facts, HoldThePlateauAgainstLineRate) {
  EXPECT_EQ(text_of(of(results::DeviceKind::hardware), "plateau"),
            "45 GB/s from 1M on (ring): 90 % of line rate (50 GB/s); the highest of 2 curves");
}

TEST(Facts, SaySoftwareLoudly) {
  EXPECT_NE(text_of(of(results::DeviceKind::software), "NICs").find("SOFTWARE"), std::string::npos);
}

/// Next to no wrong data stands how many iterations that is about.
TEST(Facts, SayWhatShareOfTheDataWasVerified) {
  Result result = of(results::DeviceKind::hardware);
  EXPECT_EQ(text_of(result, "data verified"), "");  // nothing was timed
  for (results::CollectiveRow& row :
       std::get<results::CollectiveBody>(std::get<results::Document>(result.input).body).rows) {
    row.out_of_place->time.n = 60;
    row.out_of_place->verified_iterations = 1;
  }
  EXPECT_EQ(text_of(result, "data verified"), "3 of 180 timed iterations (1.7 %)");
}

TEST(Facts, LeaveOutWhatIsNotKnown) {
  Result result;
  result.input = results::Document{};
  EXPECT_EQ(text_of(result, "where"), "");
  EXPECT_EQ(text_of(result, "plateau"), "");
}

TEST(Sentence, SaysTheOutcome) {
  Result result = of(results::DeviceKind::software);
  EXPECT_EQ(sentence_of(result),
            "INCONCLUSIVE (SOFTWARE): run: tested 0 of 1: nothing was tested.");
  result.judgement = verdict::compared(result.run_set, {.line_rate = true});
  EXPECT_TRUE(sentence_of(result).starts_with(
      "FAIL (SOFTWARE): 1 finding: fabric: all_reduce float sum tree out_of_place: bandwidth slow "
      "by 56 %"))
      << sentence_of(result);
}

/// A run that passes may still be degraded: its reader sees that first.
TEST(Reason, OfAPassHasItsWarningsFirst) {
  Result result = of(results::DeviceKind::hardware);
  finding::Finding slow = finding::found("diagnosis", finding::Cause::latency,
                                         {.scope = finding::Scope::host, .at = {.host = "h1"}});
  slow.severity = finding::Severity::warning;
  result.judgement.parts = {
      {.criterion = "run",
       .report = {.findings = {slow}, .coverage = {{.check = "rows", .planned = 1, .tested = 1}}}}};
  EXPECT_EQ(reason_of(result), "1 warning: h1: high latency; no error found.");
  result.judgement.parts[0].report.findings[0].certainty = finding::Certainty::cleared;
  EXPECT_EQ(reason_of(result), "no error found.");
}

}  // namespace
}  // namespace railgauge::report
