// Shows metrics that take a fabric, without one, until its standard input ends: for what Prometheus
// makes of them, and for how long a scrape takes.
// usage: sample_exporter soak|inspector|many-nics WHERE     WHERE as --metrics has it
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <string>

#include "experiments/soak/soak_metrics.hpp"
#include "runner/metrics_fixture.hpp"

namespace {

using namespace railgauge;  // NOLINT(google-build-using-namespace): a main of tests

/// Once there is something to see.
void say_where(const runner::RunExporter& exporter) {
  std::printf("metrics at %s\n", exporter.place().c_str());
  std::fflush(stdout);
}

bool input_ends_within(std::chrono::milliseconds limit) {
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  return ::poll(&input, 1, static_cast<int>(limit.count())) != 0;
}

soak::Header header() {
  soak::Header made;
  made.run = "soak-sample";
  made.started = std::chrono::system_clock::now();
  made.window_s = 1;
  made.duration_s = 3600;
  made.ranks = runner::two_hosts().ranks;
  made.plan = {
      {.collective = "all_reduce", .algorithm = "ring", .size_bytes = 1U << 20U, .rails = {0, 1}}};
  return made;
}

soak::Window window(std::uint64_t number) {
  soak::Window made;
  made.number = number;
  made.start = std::chrono::system_clock::now() - std::chrono::seconds(1);
  made.length_s = 1;
  made.phases = {{.phase = 0,
                  .iterations = 1000,
                  .verified = 10,
                  .p50_us = 100,
                  .p99_us = 150,
                  .p999_us = 200,
                  .busbw_gigabytes_per_second = 40,
                  .jct_ratio = 1.0,
                  .slowest = {.us = 300},
                  .rails = {{.rail = 0, .busbw_gigabytes_per_second = 20},
                            {.rail = 1, .busbw_gigabytes_per_second = 20}}}};
  for (const results::Rank& rank : header().ranks) {
    for (const results::RankRail& rail : rank.rails) {
      made.ports.push_back({.host = rank.host,
                            .device = rail.device,
                            .rail = rail.rail,
                            .moved = {{"np_cnp_sent", 5}},
                            .state = "ACTIVE",
                            .temperature_celsius = 55});
    }
    made.ranks.push_back(
        {.load = {.rank = rank.rank}, .resident_bytes = 1U << 26U, .descriptors = 60});
  }
  return made;
}

void show_soak(runner::RunExporter& exporter) {
  results::Document document = runner::two_hosts();
  document.report.findings = {finding::found(
      "diagnosis", finding::Cause::packet_loss,
      {.scope = finding::Scope::port, .at = {.host = "host1", .device = "mlx5_0", .rail = 0}})};
  exporter.begin(document);
  exporter.end(document);
  runner::SoakMetrics soak(exporter);
  soak.take(header());
  for (std::uint64_t number = 1;; ++number) {
    soak.take(window(number));
    finding::Finding flap =
        finding::found("soak", finding::Cause::link_down,
                       {.scope = finding::Scope::port,
                        .at = {.host = "host1", .device = "mlx5_0", .rail = 0, .plane = 0}});
    flap.when = finding::TimeWindow{.window = number};
    soak.take(flap);
    soak.publish(finding::Outcome::pass, {.bit_error_rate_bound = 1e-14});
    if (number == 1) say_where(exporter);
    if (input_ends_within(std::chrono::milliseconds(500))) return;
  }
}

void wait_for_end() {
  while (!input_ends_within(std::chrono::hours(1))) {
  }
}

void show_inspector(runner::RunExporter& exporter) {
  for (const char* collective : {"all_reduce", "all_gather", "reduce_scatter", "sendrecv"}) {
    results::Document document = runner::two_hosts();
    document.body = results::CollectiveBody{.collective = collective};
    exporter.begin(document);
    runner::rows_of(document).push_back(runner::collective_row(1U << 20U));
    exporter.row(document);
  }
  exporter.publish();
  say_where(exporter);
  wait_for_end();
}

void show_many_nics(runner::RunExporter& exporter) {
  results::Document document = runner::document_of_64_nics();
  exporter.begin(document);
  for (const results::CollectiveRow& row : runner::rows_of_64_nics()) {
    runner::rows_of(document).push_back(row);
    exporter.row(document);
  }
  exporter.publish();
  say_where(exporter);
  wait_for_end();
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string what = argc == 3 ? argv[1] : "";
  if (what != "soak" && what != "inspector" && what != "many-nics") {
    std::fputs("usage: sample_exporter soak|inspector|many-nics WHERE\n", stderr);
    return 2;
  }
  const auto names =
      what == "inspector" ? runner::MetricsNames::nccl_inspector : runner::MetricsNames::railgauge;
  runner::RunExporter exporter(metrics::target_of(argv[2]), names);
  if (what == "soak") show_soak(exporter);
  if (what == "inspector") show_inspector(exporter);
  if (what == "many-nics") show_many_nics(exporter);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "sample_exporter: %s\n", error.what());
  return 5;
}
