#include "report/bmwg.hpp"

#include <gtest/gtest.h>

#include "congestion/figures.hpp"

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
  const std::string text = bmwg({}, Draft::training);
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
  const std::string text =
      bmwg({.results = {result_of(document, "dir/soak.json")}}, Draft::training);
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

TEST(BmwgTraining, AJobHasItsRatioToIdealCommunication) {
  Document document;
  results::JobBody body{.job = {.workload = "dense", .over_line_rate = 1.25}};
  body.rows.emplace_back();
  document.body = body;
  const std::string text =
      bmwg({.results = {result_of(document, "dir/job.json")}}, Draft::training);
  EXPECT_TRUE(has(line_of(text, "JCT Ratio"), "1.25")) << text;
  EXPECT_TRUE(has(line_of(text, "JCT Ratio"), "at line rate")) << text;
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
  const std::string text = bmwg({.results = {result_of(document, "pairs.json")}}, Draft::training);
  EXPECT_TRUE(has(line_of(text, "Tail Latency"), "P99 9, P99.9 18")) << text;
  EXPECT_TRUE(has(line_of(text, "Tail Latency"), "worst of 2 pairs"));
}

TEST(BmwgTraining, AnIncastHasFairnessAndPausesIfSomebodyCountsThem) {
  results::CongestionBody body;
  body.rows.push_back({.scenario = "incast",
                       .step = "4 senders, load 1.2",
                       .seconds = 2,
                       .verdict = "ECN_FIRST",
                       .marks = {.counted = true, .observer = "NIC", .count = 300},
                       .pauses = {.counted = true, .observer = "switch", .count = 8},
                       .jain_index = 0.97});
  body.rows.push_back({.scenario = "incast", .step = "8 senders", .seconds = 2});
  Document document;
  document.body = body;
  const std::string text = bmwg({.results = {result_of(document, "c.json")}}, Draft::training);
  EXPECT_TRUE(has(line_of(text, "Jain Fairness Index"), "0.97"));
  EXPECT_TRUE(has(line_of(text, "PFC in incast"), "4 pause frames/s, ECN\\_FIRST")) << text;
  EXPECT_TRUE(has(line_of(text, "PFC in incast"), "| switches |"));
  EXPECT_TRUE(has(line_of(text, "ECN accuracy"), "150 marks/s")) << text;
  EXPECT_TRUE(has(line_of(text, "ECN accuracy"), "counters of the NICs"));
  EXPECT_TRUE(has(line_of(text, "PFC deadlock"), "not measured"));
  EXPECT_FALSE(has(text, "8 senders"));
}

TEST(BmwgInference, AnAllToAllAndAJobHaveWhatTheFabricAdds) {
  Document document;
  results::JobBody job;
  job.job.workload = "kv";
  job.job.operations = {{.name = "request",
                         .kind = "send",
                         .bytes = 1 << 24,
                         .latency = results::JobLatency{.time = {.n = 500, .p99_us = 900}}},
                        {.name = "dispatch", .kind = "alltoall", .bytes = 4096, .slowest_us = 80}};
  document.body = job;
  const std::string text = bmwg({.results = {result_of(document, "kv.json")}}, Draft::inference);
  EXPECT_TRUE(has(text, "fabric-inference-bench"));
  EXPECT_TRUE(has(line_of(text, "TTFT\\_fabric"), "P99 900 since arrival")) << text;
  EXPECT_TRUE(has(line_of(text, "ITL\\_fabric"), "median 80"));
  EXPECT_TRUE(has(line_of(text, "TTFT"), "needs a serving system"));
  EXPECT_TRUE(has(line_of(text, "KV\\_xfer\\_latency"), "needs pairs\\_perf --mode write"));
}

/// A pipeline's transfers are of no request.
TEST(BmwgInference, ATrainingStepHasNoTransferOfARequest) {
  Document document;
  results::JobBody job;
  job.job.workload = "dense";
  job.job.operations = {{.name = "next stage", .kind = "send", .slowest_us = 900}};
  document.body = job;
  const std::string text = bmwg({.results = {result_of(document, "d.json")}}, Draft::inference);
  EXPECT_TRUE(has(line_of(text, "TTFT\\_fabric"), "not measured"));
}

TEST(BmwgInference, ValuesOfBothDraftsHaveTheirNames) {
  Document document;
  document.counters = {counted(1'000'000, 2, 5000)};
  const Report report{.results = {result_of(document, "a.json")}};
  EXPECT_TRUE(has(line_of(bmwg(report, Draft::inference), "Packet\\_drop\\_rate"), "| ppm | 2 |"));
  EXPECT_TRUE(has(line_of(bmwg(report, Draft::training), "Packet Drop Rate"), "| ppm | 2 |"));
}

results::CongestionRow row_with(const char* scenario, const char* step, const char* metric,
                                double value) {
  results::CongestionRow row{.scenario = scenario, .step = step, .seconds = 2};
  row.losses.observer = "switch";
  row.figures.push_back({.metric = metric, .value = value});
  return row;
}

TEST(BmwgTraining, FiguresOfScenariosAreItsIndicators) {
  results::CongestionBody body;
  body.rows.push_back(row_with("burst", "1 message", congestion::kLargestBurst, 16384));
  body.rows.push_back(row_with("burst", "2 messages", congestion::kLargestBurst, 32768));
  body.rows.push_back(row_with("convergence", "2 flows", congestion::kFairAfter, 0.25));
  body.rows.push_back(row_with("permutation", "1", congestion::kMostOverMean, 4));
  body.rows.push_back(row_with("failure", "a link fails", congestion::kRecovery, 0.05));
  Document document;
  document.body = body;
  const std::string text = bmwg({.results = {result_of(document, "c.json")}}, Draft::training);
  EXPECT_TRUE(has(line_of(text, "Burst absorption"), "| 32768 | burst, 2 messages | switches |"))
      << text;
  EXPECT_FALSE(has(text, "16384")) << "the largest alone";
  EXPECT_TRUE(has(line_of(text, "Congestion Control Convergence"), "250000"));
  EXPECT_TRUE(has(line_of(text, "ECMP Imbalance (MMR)"), "| 4 |"));
  EXPECT_TRUE(has(line_of(text, "Link failure convergence"), "50000"));
  EXPECT_TRUE(has(line_of(text, "Interference"), "not measured"));
}

TEST(BmwgTraining, InterferenceIsOfAFlowThatWasMeasuredAloneFirst) {
  results::CongestionBody body;
  for (const double rate : {5.0, 4.0}) {
    body.rows.push_back({.scenario = "victim", .step = rate == 5 ? "alone" : "both", .seconds = 2});
    body.rows.back().flows.push_back({.victim = true, .gigabytes_per_second = rate});
  }
  body.rows.back().flows.push_back({.gigabytes_per_second = 1});
  Document document;
  document.body = body;
  const std::string text = bmwg({.results = {result_of(document, "c.json")}}, Draft::training);
  EXPECT_TRUE(has(line_of(text, "Interference"), "| bandwidth 0.8 | victim, both |")) << text;
}

/// The probe of the classes is another flow than the victim of the incast.
TEST(BmwgTraining, InterferenceIsOfTheSameScenario) {
  results::CongestionBody body;
  for (const char* scenario : {"victim", "classes"}) {
    const bool alone = std::string(scenario) == "victim";
    body.rows.push_back({.scenario = scenario,
                         .step = alone ? "alone" : "both",
                         .verdict = alone ? "" : "UNKNOWN"});
    body.rows.back().flows.push_back({.victim = true, .gigabytes_per_second = 5});
  }
  body.rows.push_back({.scenario = "classes", .step = "next to bulk"});
  body.rows.back().flows = {{.victim = true, .gigabytes_per_second = 1},
                            {.gigabytes_per_second = 4}};
  Document document;
  document.body = body;
  const auto text = [&] {
    return bmwg({.results = {result_of(document, "c.json")}}, Draft::training);
  };
  EXPECT_TRUE(has(line_of(text(), "Interference"), "not measured")) << text();
  body.rows[1].verdict = "";
  document.body = body;
  EXPECT_TRUE(has(line_of(text(), "Interference"), "| bandwidth 0.2 | classes, next to bulk |"))
      << text();
}

}  // namespace
}  // namespace railgauge::report
