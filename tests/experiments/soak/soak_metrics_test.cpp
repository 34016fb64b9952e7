#include "experiments/soak/soak_metrics.hpp"

#include <gtest/gtest.h>

#include "runner/metrics/base_units.hpp"
#include "runner/metrics_fixture.hpp"

namespace railgauge::runner {
namespace {

using metrics::with;
using std::chrono::seconds;

constexpr std::chrono::system_clock::time_point kStart{seconds(1'772'366'400)};

const metrics::Labels kPhase{{"phase", "1"},
                             {"collective", "alltoall"},
                             {"algorithm", "pairwise"},
                             {"size", "4096"},
                             {"rails", "0+1"}};
const metrics::Labels kPort{{"host", "host1"}, {"device", "mlx5_0"}, {"rail", "0"}};

soak::Header header() {
  soak::Header made;
  made.run = "soak-1";
  made.window_s = 60;
  made.duration_s = 3600;
  made.ranks = two_hosts().ranks;
  made.plan = {
      {.collective = "all_reduce", .algorithm = "ring", .size_bytes = 8, .rails = {0, 1}},
      {.collective = "alltoall", .algorithm = "pairwise", .size_bytes = 4096, .rails = {0, 1}}};
  return made;
}

soak::Window window(std::uint64_t number) {
  soak::Window made;
  made.number = number;
  made.start = kStart + seconds(60 * (number - 1));
  made.length_s = 60.5;
  made.phases = {{.phase = 1,
                  .iterations = 1000,
                  .verified = 100,
                  .wrong = 0,
                  .p50_us = 10,
                  .p99_us = 20,
                  .p999_us = 30,
                  .busbw_gigabytes_per_second = 12,
                  .jct_ratio = 1.01,
                  .slowest = {.us = 40},
                  .rails = {{.rail = 0, .busbw_gigabytes_per_second = 5},
                            {.rail = 1, .busbw_gigabytes_per_second = 7}}}};
  made.ports = {{.host = "host1",
                 .device = "mlx5_0",
                 .rail = 0,
                 .moved = {{"packet_seq_err", 2}},
                 .state = "ACTIVE",
                 .link_gigabits_per_second = 400,
                 .temperature_celsius = 61}};
  for (int rank = 0; rank < 2; ++rank) {
    made.ranks.push_back({.load = {.rank = rank}, .resident_bytes = 1U << 20U, .descriptors = 50});
  }
  return made;
}

class SoakMetricsTest : public testing::Test {
 protected:
  SoakMetricsTest() {
    run_.begin(two_hosts());
    soak_.take(header());
  }

  [[nodiscard]] std::optional<double> value(std::string_view name,
                                            const metrics::Labels& labels = {}) {
    return value_of(run_.metrics().snapshot(), name, labels);
  }
  [[nodiscard]] std::optional<double> verdict(const char* one) {
    return value("railgauge_verdict", {{"check", "soak"}, {"verdict", one}});
  }

  RunExporter run_{metrics::target_of(testing::TempDir() + "soak_metrics.prom")};
  SoakMetrics soak_{run_};
};

TEST_F(SoakMetricsTest, BeginAtZero) {
  EXPECT_EQ(value("railgauge_soak_info", {{"run", "soak-1"}}), 1);
  EXPECT_EQ(value("railgauge_soak_duration_seconds"), 3600);
  EXPECT_EQ(value("railgauge_soak_windows_total"), 0);
  EXPECT_EQ(value("railgauge_soak_events_total", {{"cause", "link-down"}}), 0);
  EXPECT_EQ(value("railgauge_soak_events_total", {{"cause", "host-restarted"}}), 0);
  EXPECT_EQ(value("railgauge_soak_iterations_total", kPhase), 0);
  EXPECT_EQ(verdict("UNKNOWN"), 1);
  EXPECT_EQ(verdict("PASS"), 0);
}

TEST_F(SoakMetricsTest, AreOfTheLastWindowAndCountAll) {
  soak_.take(window(1));
  soak_.take(window(2));
  EXPECT_EQ(value("railgauge_soak_windows_total"), 2);
  EXPECT_EQ(value("railgauge_soak_measured_seconds_total"), 121);
  EXPECT_EQ(value("railgauge_soak_iterations_total", kPhase), 2000);
  EXPECT_EQ(value("railgauge_soak_verified_iterations_total", kPhase), 200);
  EXPECT_EQ(value("railgauge_soak_bus_bandwidth_bytes_per_second", kPhase), 12e9);
  EXPECT_EQ(value("railgauge_soak_rail_bus_bandwidth_bytes_per_second", with(kPhase, "rail", "1")),
            7e9);
  EXPECT_EQ(value("railgauge_soak_completion_time_ratio", kPhase), 1.01);
  EXPECT_NEAR(
      value("railgauge_soak_iteration_percentile_seconds", with(kPhase, "percentile", "99.9"))
          .value(),
      3e-5, 1e-12);
  EXPECT_NEAR(
      value("railgauge_soak_iteration_percentile_seconds", with(kPhase, "percentile", "100"))
          .value(),
      4e-5, 1e-12);
  EXPECT_NEAR(value("railgauge_last_sample_timestamp_seconds").value(),
              unix_seconds(kStart) + 120.5, 1e-3);
}

TEST_F(SoakMetricsTest, RememberWrongData) {
  soak_.take(window(1));
  EXPECT_EQ(value("railgauge_verdict", {{"check", "data"}, {"verdict", "PASS"}}), 1);
  soak::Window wrong = window(2);
  wrong.phases[0].wrong = 3;
  soak_.take(wrong);
  soak_.take(window(3));
  EXPECT_EQ(value("railgauge_verdict", {{"check", "data"}, {"verdict", "FAIL"}}), 1);
  EXPECT_EQ(value("railgauge_soak_wrong_elements_total", kPhase), 3);
}

TEST_F(SoakMetricsTest, HavePortsAndProcesses) {
  soak_.take(window(1));
  soak_.take(window(2));
  EXPECT_EQ(value("railgauge_port_events_total", with(kPort, "class", "loss")), 4);
  EXPECT_EQ(value("railgauge_port_up", kPort), 1);
  EXPECT_EQ(value("railgauge_port_counters_read", kPort), 1);
  EXPECT_EQ(value("railgauge_port_temperature_celsius", kPort), 61);
  EXPECT_EQ(value("railgauge_port_link_bytes_per_second", kPort), 50e9);
  EXPECT_EQ(value("railgauge_process_resident_bytes", {{"host", "host1"}}), 1U << 20U);
  EXPECT_EQ(value("railgauge_process_open_descriptors", {{"host", "host0"}}), 50);
  soak::Window down = window(3);
  down.ports[0].state = "DOWN";
  down.ports[0].unread = {"packet_seq_err"};
  soak_.take(down);
  EXPECT_EQ(value("railgauge_port_up", kPort), 0);
  EXPECT_EQ(value("railgauge_port_counters_read", kPort), 0);
}

TEST_F(SoakMetricsTest, HavePlaceAndTimeOfFindings) {
  soak_.take(window(1));
  soak_.take(finding::found(
      "soak", finding::Cause::link_down,
      {.scope = finding::Scope::port, .at = {.host = "host1", .device = "mlx5_0", .rail = 0}}));
  EXPECT_EQ(value("railgauge_soak_events_total", {{"cause", "link-down"}}), 1);
  EXPECT_EQ(value("railgauge_soak_events_total", {{"cause", "packet-loss"}}), 0);
  EXPECT_NEAR(
      value("railgauge_soak_event_timestamp_seconds",
            {{"cause", "link-down"}, {"host", "host1"}, {"device", "mlx5_0"}, {"rail", "0"}})
          .value(),
      unix_seconds(kStart) + 60.5, 1e-3);
}

TEST_F(SoakMetricsTest, CountGaps) {
  soak_.take(window(1));
  soak_.take(soak::Gap{.lost_windows = 7,
                       .counted = {{.host = "host1",
                                    .device = "mlx5_0",
                                    .rail = 0,
                                    .plane = 0,
                                    .moved = {{"packet_seq_err", 5}}}}});
  EXPECT_EQ(value("railgauge_soak_gaps_total"), 1);
  EXPECT_EQ(value("railgauge_soak_lost_windows_total"), 7);
  EXPECT_EQ(value("railgauge_port_events_total", with(kPort, "class", "loss")), 7)
      << "what ports counted in the gap is not lost";
}

TEST_F(SoakMetricsTest, HaveTheOutcomeSoFar) {
  soak_.publish(finding::Outcome::pass, {.bit_error_rate_bound = 1e-15});
  EXPECT_EQ(verdict("PASS"), 1);
  EXPECT_EQ(verdict("UNKNOWN"), 0);
  EXPECT_EQ(value("railgauge_soak_bit_error_ratio_bound"), 1e-15);
  soak_.publish(finding::Outcome::fail, {});
  EXPECT_EQ(verdict("FAIL"), 1);
  EXPECT_EQ(value("railgauge_soak_bit_error_ratio_bound"), std::nullopt);
  soak_.publish(finding::Outcome::inconclusive, {});
  EXPECT_EQ(verdict("UNKNOWN"), 1);
}

}  // namespace
}  // namespace railgauge::runner
