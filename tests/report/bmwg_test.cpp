#include "report/bmwg.hpp"

#include <gtest/gtest.h>

namespace railgauge::report {
namespace {

using results::Document;

Result result_of(Document document, const std::string& file) {
  Result result;
  result.input = std::move(document);
  result.run_set = run_set_of(result.input, file);
  return result;
}

/// The line of an indicator; empty if there is none.
std::string line_of(const std::string& text, const std::string& indicator) {
  const auto at = text.find("| " + indicator + " |");
  return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

results::PortCounters counted(std::uint64_t packets, std::uint64_t lost, std::uint64_t marks) {
  return {.host = "a",
          .device = "mlx5_0",
          .before = {{"port_rcv_packets", 0},
                     {"out_of_sequence", 0},
                     {"np_ecn_marked_roce_packets", 0}},
          .after = {{"port_rcv_packets", packets},
                    {"out_of_sequence", lost},
                    {"np_ecn_marked_roce_packets", marks}}};
}

TEST(BmwgTraining, OfNothingEverythingIsNotMeasured) {
  const std::string text = bmwg_training({});
  EXPECT_TRUE(has(line_of(text, "JCT Ratio"), "not measured")) << text;
  EXPECT_TRUE(has(line_of(text, "Burst absorption"), "not measured"));
  EXPECT_FALSE(has(text, "PASS"));
}

TEST(BmwgTraining, ASoakHasItsRatioAndWhatItsPortsCounted) {
  Document document;
  document.start = std::chrono::system_clock::time_point{};
  document.end = document.start + std::chrono::seconds(100);
  results::SoakBody body{.window_s = 10, .figures = {.windows = 10}};
  body.rows.push_back({.phase = {.collective = "all_reduce", .size_bytes = 1 << 20},
                       .jct_ratio = 1.04,
                       .jct_ratio_deviation = 0.01});
  document.body = body;
  document.counters = {counted(1'000'000, 2, 5000)};
  const std::string text = bmwg_training({.results = {result_of(document, "dir/soak.json")}});
  EXPECT_TRUE(has(line_of(text, "JCT Ratio"), "1.04")) << text;
  EXPECT_TRUE(has(line_of(text, "24-hour stability"), "0.01"));
  EXPECT_TRUE(has(line_of(text, "Packet Drop Rate"), "| ppm | 2 |"))
      << line_of(text, "Packet Drop Rate");
  EXPECT_TRUE(has(line_of(text, "ECN Marking Ratio"), "| % | 0.5 |"));
  EXPECT_TRUE(has(line_of(text, "ECN Marking Ratio"), "counters of the NICs"));
  EXPECT_TRUE(has(line_of(text, "ECN Marking Ratio"), "| soak.json |"));
  // This port counts no pause frames: that none were counted says nothing.
  EXPECT_TRUE(has(line_of(text, "PFC Pause Count"), "not measured"));
}

TEST(BmwgTraining, PairsHaveTheWorstTailOfThoseThatFinished) {
  results::PairsBody body;
  for (const double p99_us : {5.0, 9.0, 70.0}) {
    results::PairRow row{.mode = "write"};
    row.figures.time = measure::Summary{.n = 1000, .p99_us = p99_us, .p999_us = 2 * p99_us};
    if (p99_us > 60) row.figures.reason = "it was ended";
    body.rows.push_back(row);
  }
  Document document;
  document.body = body;
  const std::string text = bmwg_training({.results = {result_of(document, "pairs.json")}});
  EXPECT_TRUE(has(line_of(text, "Tail Latency"), "P99 9, P99.9 18")) << text;
  EXPECT_TRUE(has(line_of(text, "Tail Latency"), "worst of 2 pairs"));
}

TEST(BmwgTraining, AnIncastHasFairnessAndPausesIfSomebodyCountsThem) {
  results::CongestionBody body;
  body.rows.push_back({.scenario = "incast",
                       .step = "4 senders, load 1.2",
                       .seconds = 2,
                       .verdict = "ECN_FIRST",
                       .pauses = {.counted = true, .observer = "switch", .count = 8},
                       .jain_index = 0.97});
  body.rows.push_back({.scenario = "incast", .step = "8 senders", .seconds = 2});
  Document document;
  document.body = body;
  const std::string text = bmwg_training({.results = {result_of(document, "c.json")}});
  EXPECT_TRUE(has(line_of(text, "Jain Fairness Index"), "0.97"));
  EXPECT_TRUE(has(line_of(text, "PFC in incast"), "4 pause frames/s, ECN\\_FIRST")) << text;
  EXPECT_TRUE(has(line_of(text, "PFC in incast"), "| switches |"));
  EXPECT_FALSE(has(text, "8 senders"));
}

}  // namespace
}  // namespace railgauge::report
