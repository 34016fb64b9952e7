#include "runner/metrics/run_metrics.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "runner/metrics_fixture.hpp"

namespace railgauge::runner {
namespace {

using metrics::with;
using results::ExitCode;

const metrics::Labels kPort{
    {"host", "host0"}, {"device", "mlx5_1"}, {"port", "1"}, {"rail", "1"}, {"plane", "0"}};

/// A run of which `rows` were measured.
class RunMetricsTest : public testing::Test {
 protected:
  RunMetricsTest() { metrics_.begin(document_); }

  void row(results::CollectiveRow row) {
    rows_of(document_).push_back(std::move(row));
    metrics_.row(document_);
  }
  void end(ExitCode code) {
    document_.exit_code = code;
    document_.end = document_.start + std::chrono::seconds(5);
    metrics_.end(document_);
  }
  [[nodiscard]] std::optional<double> value(std::string_view name,
                                            const metrics::Labels& labels = {}) const {
    return value_of(metrics_.snapshot(), name, labels);
  }
  /// The one that holds; empty if several do, or none.
  [[nodiscard]] std::string verdict(const std::string& check) const {
    std::string held;
    for (const char* one : {"PASS", "FAIL", "UNKNOWN"}) {
      if (value("railgauge_verdict", {{"check", check}, {"verdict", one}}) == 1.0) held += one;
    }
    return held;
  }

  results::Document document_ = two_hosts();
  RunMetrics metrics_;
};

TEST_F(RunMetricsTest, SayWhatRuns) {
  EXPECT_EQ(value("railgauge_build_info", {{"version", "0.1.0"}, {"commit", "0123456789ab"}}), 1);
  EXPECT_EQ(
      value("railgauge_run_info",
            {{"program", "all_reduce_perf"}, {"test", "collective"}, {"devices", "hardware"}}),
      1);
  EXPECT_EQ(value("railgauge_run_ranks"), 2);
  EXPECT_EQ(value("railgauge_run_hosts"), 2);
  EXPECT_EQ(value("railgauge_run_start_timestamp_seconds"), 1'772'366'400);
  EXPECT_EQ(value("railgauge_last_sample_timestamp_seconds"), 1'772'366'400);
  EXPECT_EQ(value("railgauge_port_link_bytes_per_second", kPort), 50e9);
  EXPECT_EQ(value("railgauge_port_info", with(kPort, "kind", "hardware")), 1);
}

TEST_F(RunMetricsTest, OfARunThatHasJustBegunPassNothing) {
  EXPECT_EQ(verdict("run"), "UNKNOWN");
  EXPECT_EQ(verdict("data"), "UNKNOWN");
  EXPECT_EQ(value("railgauge_run_status", {{"status", "running"}}), 1);
  EXPECT_EQ(value("railgauge_run_status", {{"status", "ok"}}), 0);
}

TEST_F(RunMetricsTest, CountClassesThatAPortHasFromZeroOn) {
  EXPECT_EQ(value("railgauge_port_events_total", with(kPort, "class", "loss")), 0);
  EXPECT_EQ(value("railgauge_port_events_total", with(kPort, "class", "link")), 0);
  EXPECT_EQ(value("railgauge_port_events_seconds_total", with(kPort, "class", "pause")), 0);
  EXPECT_EQ(value("railgauge_port_events_total", with(kPort, "class", "corruption")), std::nullopt)
      << "what a port cannot count is not known";
  EXPECT_EQ(value("railgauge_port_events_total", with(kPort, "class", "traffic")), std::nullopt);
}

TEST_F(RunMetricsTest, CountWhatPortsCountedInRows) {
  results::CollectiveRow first = collective_row(8);
  first.events = {{.host = "host0",
                   .device = "mlx5_1",
                   .rail = 1,
                   .plane = 0,
                   .moved = {{"packet_seq_err", 3},
                             {"link_downed", -4},
                             {"a_counter_that_nobody_knows", 9},
                             {"rx_prio3_pause_duration", 500}}}};
  row(first);
  first.size_bytes = 16;
  row(first);
  EXPECT_EQ(value("railgauge_port_events_total", with(kPort, "class", "loss")), 6);
  EXPECT_EQ(value("railgauge_port_events_total", with(kPort, "class", "link")), 0) << "a reset";
  EXPECT_NEAR(value("railgauge_port_events_seconds_total", with(kPort, "class", "pause")).value(),
              1e-3, 1e-12);
}

TEST_F(RunMetricsTest, AtTheEndHaveWhatWasBetweenRowsToo) {
  row(collective_row(8));
  document_.counters[1].after = document_.counters[1].before;
  document_.counters[1].after["packet_seq_err"] = 7;
  end(ExitCode::ok);
  EXPECT_EQ(value("railgauge_port_events_total", with(kPort, "class", "loss")), 2);
  EXPECT_EQ(value("railgauge_port_events_total",
                  {{"host", "host1"}, {"device", "mlx5_1"}, {"class", "loss"}}),
            0);
}

TEST_F(RunMetricsTest, HaveTheLastRowOfEverySize) {
  row(collective_row(1024));
  const metrics::Labels out{{"collective", "all_reduce"},
                            {"algorithm", "ring"},
                            {"size", "1024"},
                            {"type", "float"},
                            {"op", "sum"},
                            {"rails", "0+1"},
                            {"buffers", "out_of_place"}};
  EXPECT_EQ(value("railgauge_bus_bandwidth_bytes_per_second", out), 40e9);
  EXPECT_EQ(value("railgauge_bus_bandwidth_bytes_per_second", {{"buffers", "in_place"}}), 50e9);
  EXPECT_EQ(value("railgauge_line_rate_ratio", out), 0.8);
  EXPECT_EQ(value("railgauge_rail_bus_bandwidth_bytes_per_second", with(out, "rail", "1")), 20e9);
  results::CollectiveRow again = collective_row(1024);
  again.out_of_place->busbw_gigabytes_per_second = 30;
  row(again);
  row(collective_row(2048));
  EXPECT_EQ(value("railgauge_bus_bandwidth_bytes_per_second", out), 30e9);
  EXPECT_EQ(value("railgauge_rows_total"), 3);
  EXPECT_GT(value("railgauge_last_sample_timestamp_seconds"), 1'772'366'400);
}

TEST_F(RunMetricsTest, CountIterationsInHistograms) {
  row(collective_row(1024));
  row(collective_row(1024));
  const metrics::Snapshot snapshot = metrics_.snapshot();
  ASSERT_EQ(count_of(snapshot, "railgauge_iteration_seconds"), 2U) << "in place, and out of place";
  const auto family = std::ranges::find(snapshot, "railgauge_iteration_seconds",
                                        [](const auto& one) { return one.metric.name; });
  const metrics::TimeHistogram& times = family->series[0].times;
  EXPECT_EQ(std::accumulate(times.counts().begin(), times.counts().end(), std::uint64_t{0}), 42U);
  EXPECT_EQ(times.counts()[6], 40U) << "up to 100 us";
  EXPECT_EQ(times.counts()[7], 2U) << "up to 200 us";
  EXPECT_NEAR(times.sum_seconds(), 4.4e-3, 1e-9);
}

TEST_F(RunMetricsTest, OfRightDataPass) {
  row(collective_row(8));
  EXPECT_EQ(verdict("data"), "PASS");
  EXPECT_EQ(verdict("run"), "UNKNOWN");
  EXPECT_EQ(value("railgauge_verified_iterations_total"), 2);
  end(ExitCode::ok);
  EXPECT_EQ(verdict("run"), "PASS");
  EXPECT_EQ(value("railgauge_run_status", {{"status", "ok"}}), 1);
  EXPECT_EQ(value("railgauge_run_status", {{"status", "running"}}), 0);
  EXPECT_EQ(value("railgauge_run_end_timestamp_seconds"), 1'772'366'405);
}

TEST_F(RunMetricsTest, OfDataThatWereNotVerifiedDoNotPass) {
  results::CollectiveRow one = collective_row(8);
  one.in_place.reset();
  one.out_of_place->wrong.reset();
  one.out_of_place->verified_iterations = 0;
  row(one);
  EXPECT_EQ(verdict("data"), "UNKNOWN");
}

TEST_F(RunMetricsTest, SayWhatCouldNotBeVerified) {
  const auto unverified = [&] {
    return count_of(metrics_.snapshot(), "railgauge_bus_bandwidth_bytes_per_second",
                    {{"unverified", "true"}});
  };
  results::CollectiveRow one = collective_row(8);
  one.in_place.reset();
  row(one);
  EXPECT_EQ(unverified(), 0U);
  one.point.unreduced = true;
  row(one);
  EXPECT_EQ(unverified(), 1U);
}

TEST_F(RunMetricsTest, OfWrongDataFailForEver) {
  results::CollectiveRow wrong = collective_row(8);
  wrong.in_place->wrong = 2;
  row(wrong);
  row(collective_row(16));
  EXPECT_EQ(verdict("data"), "FAIL");
  EXPECT_EQ(value("railgauge_wrong_elements_total"), 2);
  end(ExitCode::wrong_data);
  EXPECT_EQ(verdict("run"), "FAIL");
  EXPECT_EQ(value("railgauge_run_status", {{"status", "wrong-data"}}), 1);
}

TEST_F(RunMetricsTest, OfAnInterruptedRunNeitherPassNorFail) {
  end(ExitCode::interrupted);
  EXPECT_EQ(verdict("run"), "UNKNOWN");
}

TEST_F(RunMetricsTest, NameWhoIsBlamedAndWhoFailed) {
  row(collective_row(8));
  const finding::Finding loss = finding::found(
      "diagnosis", finding::Cause::packet_loss,
      {.scope = finding::Scope::port, .at = {.host = "host0", .device = "mlx5_1", .rail = 1}});
  document_.report.findings = {loss, loss};
  document_.failures = {{.rank = 0, .host = "host0", .kind = results::Failure::Kind::time_out},
                        {.rank = 1, .host = "host1", .kind = results::Failure::Kind::lost}};
  end(ExitCode::time_out);
  EXPECT_EQ(
      value("railgauge_findings", {{"cause", "packet-loss"}, {"host", "host0"}, {"rail", "1"}}), 2);
  EXPECT_EQ(value("railgauge_failures", {{"kind", "lost"}, {"host", "host1"}}), 1);
}

TEST_F(RunMetricsTest, OfPairsCountDirections) {
  using results::PairVerdict;
  RunMetrics metrics;
  results::Document document = two_hosts();
  document.body = results::PairsBody{};
  metrics.begin(document);
  auto& body = std::get<results::PairsBody>(document.body);
  for (const PairVerdict verdict : {PairVerdict::pass, PairVerdict::fail, PairVerdict::pass}) {
    body.rows.push_back({.mode = "connect", .verdict = verdict});
    metrics.row(document);
  }
  document.report.findings = {finding::found("pairs", finding::Cause::unreachable, {})};
  document.exit_code = ExitCode::verdict_failed;
  metrics.end(document);
  const auto snapshot = metrics.snapshot();
  EXPECT_EQ(value_of(snapshot, "railgauge_pairs_paths_total",
                     {{"path", "same rail"}, {"mode", "connect"}, {"verdict", "PASS"}}),
            2);
  EXPECT_EQ(value_of(snapshot, "railgauge_findings", {{"cause", "unreachable"}}), 1);
}

metrics::Snapshot of_64_nics() {
  RunMetrics metrics;
  results::Document document = document_of_64_nics();
  metrics.begin(document);
  for (const results::CollectiveRow& row : rows_of_64_nics()) {
    rows_of(document).push_back(row);
    metrics.row(document);
  }
  return metrics.snapshot();
}

TEST(RunMetricsOfManyNics, AreAtMostFiveThousandSeries) {
  const metrics::Snapshot snapshot = of_64_nics();
  EXPECT_LE(metrics::series_count(snapshot), 5000U);
  EXPECT_GE(metrics::series_count(snapshot), 4000U) << "the test has lost what makes it hard";
  EXPECT_GT(value_of(snapshot, "railgauge_forgotten_series_total"), 0);
  EXPECT_EQ(count_of(snapshot, "railgauge_bus_bandwidth_bytes_per_second",
                     {{"algorithm", "tree"}, {"size", std::to_string(std::uint64_t{1} << 36U)}}),
            2U)
      << "the last row is always there";
}

}  // namespace
}  // namespace railgauge::runner
