#include "runner/metrics/run_metrics.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "results/measurement.hpp"
#include "runner/metrics/base_units.hpp"

namespace railgauge::runner {
namespace {

using metrics::Kind;
using metrics::Labels;
using metrics::Metric;
using metrics::with;
using results::ExitCode;

constexpr Metric kBuildInfo{.name = "railgauge_build_info", .help = "Always 1: what measures."};
constexpr Metric kRunInfo{.name = "railgauge_run_info",
                          .help =
                              "Always 1: which program runs, and on what. Figures of software "
                              "devices say nothing about hardware."};
constexpr Metric kRunStart{.name = "railgauge_run_start_timestamp_seconds",
                           .help = "When the run began."};
constexpr Metric kRunEnd{.name = "railgauge_run_end_timestamp_seconds", .help = "When it ended."};
constexpr Metric kRunRanks{.name = "railgauge_run_ranks", .help = "Ranks that take part."};
constexpr Metric kRunHosts{.name = "railgauge_run_hosts", .help = "Hosts that they are on."};
constexpr Metric kRunStatus{.name = "railgauge_run_status",
                            .help = "1 for what the run does or how it ended, 0 for all else."};
constexpr Metric kRunWarnings{.name = "railgauge_run_warnings",
                              .help = "What does not end the run, but may make it slow."};
constexpr Metric kFindings{
    .name = "railgauge_findings",
    .help = "Findings by cause, severity and place, once the run has ended."};
constexpr Metric kFailures{.name = "railgauge_failures",
                           .help = "Ranks of a host that saw the run fail, by what they saw."};
constexpr Metric kForgottenSeries{
    .name = "railgauge_forgotten_series_total",
    .kind = Kind::counter,
    .help = "Series of older sizes and settings that newer ones replaced."};

constexpr Metric kRows{.name = "railgauge_rows_total",
                       .kind = Kind::counter,
                       .help = "Rows of the result that have been measured."};
constexpr Metric kRowBandwidth{.name = "railgauge_bus_bandwidth_bytes_per_second",
                               .help =
                                   "Bus bandwidth at the median time, as nccl-tests defines it; "
                                   "the last row of each size and setting.",
                               .passing = true};
constexpr Metric kRowRailBandwidth{.name = "railgauge_rail_bus_bandwidth_bytes_per_second",
                                   .help =
                                       "The part of the bus bandwidth that one rail, or one plane "
                                       "of it, had.",
                                   .passing = true};
constexpr Metric kLineRate{.name = "railgauge_line_rate_ratio",
                           .help = "What a host's NICs sent over what they can.",
                           .passing = true};
constexpr Metric kRowIterations{.name = "railgauge_iteration_seconds",
                                .kind = Kind::histogram,
                                .help =
                                    "Time of an iteration of the collective on its slowest rank, "
                                    "unless options set another rule.",
                                .passing = true};
constexpr Metric kVerifiedIterations{
    .name = "railgauge_verified_iterations_total",
    .kind = Kind::counter,
    .help = "Iterations whose result was compared with what it has to be."};
constexpr Metric kWrongElements{
    .name = "railgauge_wrong_elements_total",
    .kind = Kind::counter,
    .help = "Elements over all ranks that were not what they have to be."};
constexpr Metric kPaths{.name = "railgauge_pairs_paths_total",
                        .kind = Kind::counter,
                        .help = "Directions between two ports that were measured."};
constexpr Metric kVerdict{
    .name = "railgauge_verdict",
    .help =
        "1 for the verdict of a check that holds now, 0 for the others. Checks: run, how the "
        "run ended; data, what was verified; soak. UNKNOWN until there is an answer."};
constexpr Metric kLastSample{
    .name = "railgauge_last_sample_timestamp_seconds",
    .help = "When the last row or window was measured; before the first, when the run began."};

constexpr const char* kRunning = "running";

std::string program_name_of(const results::Document& document) {
  if (document.command_line.empty()) return "";
  return std::filesystem::path(document.command_line.front()).filename();
}

std::string_view run_verdict_of(const results::Document& document) {
  if (!document.exit_code) return "UNKNOWN";
  const finding::Outcome found = outcome_of(document);
  return found == finding::Outcome::inconclusive ? "UNKNOWN" : word(found);
}

Labels labels_of(const finding::Finding& finding) {
  const finding::Endpoint& at = finding.where.at;
  return {{"cause", std::string(word(finding.cause))},
          {"severity", std::string(word(finding.severity))},
          {"scope", std::string(word(finding.where.scope))},
          {"host", at.host},
          {"device", at.device},
          {"rail", number_or_nothing(at.rail)}};
}

Labels labels_of(const std::string& collective, const results::CollectiveRow& row) {
  const results::SweepPoint& point = row.point;
  Labels labels{{"collective", collective},
                {"algorithm", row.algorithm},
                {"size", std::to_string(row.size_bytes)},
                {"type", row.type},
                {"op", row.op},
                {"rails", results::rails_of(point)},
                {"qps", std::to_string(point.queue_pairs)},
                {"chunk", std::to_string(point.chunk_bytes)},
                {"tc", std::to_string(point.traffic_class)}};
  if (point.memory != results::MemoryKind::host) labels.emplace_back("memory", word(point.memory));
  if (point.unreduced) labels.emplace_back("unverified", "true");
  if (!point.split.empty()) labels.emplace_back("split", point.split);
  if (point.root >= 0) labels.emplace_back("root", std::to_string(point.root));
  return labels;
}

}  // namespace

RunMetrics::RunMetrics() : ports_(registry_) {
  registry_.add(kRows, {}, 0);
  count_data(0, 0);
}

void RunMetrics::begin(const results::Document& document) {
  registry_.set(kBuildInfo, {{"version", document.tool.version}, {"commit", document.tool.commit}},
                1);
  registry_.set(kRunInfo,
                {{"program", program_name_of(document)},
                 {"test", results::kind_name(document.body)},
                 {"devices", results::on_software(document.ranks) ? "software" : "hardware"}},
                1);
  registry_.set(kRunStart, {}, unix_seconds(document.start));
  registry_.set(kRunRanks, {}, static_cast<double>(document.ranks.size()));
  registry_.set(kRunHosts, {}, static_cast<double>(document.hosts.size()));
  ports_.add_ports(document.ranks);
  for (const results::PortCounters& port : document.counters) {
    ports_.add_classes(labels_of_port(port), port.before);
  }
  set_last_sample(document.start);
  set_status(document);
}

void RunMetrics::row(const results::Document& document) {
  registry_.add(kRows, {}, 1);
  std::visit([&](const auto& body) { add(document.body, body.rows.back()); }, document.body);
  if (const auto* collective = std::get_if<results::CollectiveBody>(&document.body)) {
    for (const results::PortEvents& port : collective->rows.back().events) {
      ports_.add(labels_of_port(port), port.moved);
    }
  }
  set_last_sample(std::chrono::system_clock::now());
  set_status(document);
}

void RunMetrics::add(const results::Body& body, const results::CollectiveRow& row) {
  const Labels labels = labels_of(std::get<results::CollectiveBody>(body).collective, row);
  for (const auto& [mode, measurement] : results::measurements_of(row)) {
    add(with(labels, "buffers", results::word(mode)), measurement);
  }
}

void RunMetrics::add(const Labels& labels, const results::Measurement& measurement) {
  registry_.set(kRowBandwidth, labels, bytes_of_gigabytes(measurement.busbw_gigabytes_per_second));
  if (measurement.line_rate_percent) {
    registry_.set(kLineRate, labels, ratio_of_percent(*measurement.line_rate_percent));
  }
  metrics::TimeHistogram& times = registry_.times(kRowIterations, labels);
  for (const measure::Histogram::Bin& bin : measurement.histogram) {
    times.add(seconds_of_microseconds((bin.lower_us + bin.upper_us) / 2), bin.count);
  }
  add_rails(labels, measurement);
  count_data(measurement.wrong ? static_cast<double>(measurement.verified_iterations) : 0,
             static_cast<double>(measurement.wrong.value_or(0)));
}

void RunMetrics::add_rails(const Labels& labels, const results::Measurement& measurement) {
  for (const results::RailResult& rail : measurement.rails) {
    registry_.set(
        kRowRailBandwidth,
        with(with(labels, "rail", std::to_string(rail.rail)), "plane", std::to_string(rail.plane)),
        bytes_of_gigabytes(rail.busbw_gigabytes_per_second));
  }
}

void RunMetrics::add(const results::Body& /*body*/, const results::PairRow& row) {
  registry_.add(kPaths,
                {{"path", row.same_rail ? "same rail" : "cross rail"},
                 {"mode", row.mode},
                 {"verdict", std::string(results::word(row.verdict))}},
                1);
}

void RunMetrics::count_data(double verified, double wrong) {
  registry_.add(kVerifiedIterations, {}, verified);
  registry_.add(kWrongElements, {}, wrong);
  judge_data(verified > 0, wrong > 0);
}

void RunMetrics::judge_data(bool verified, bool wrong) {
  any_wrong_ = any_wrong_ || wrong;
  any_verified_ = any_verified_ || verified;
  set_verdict("data", any_wrong_ ? "FAIL" : any_verified_ ? "PASS" : "UNKNOWN");
}

void RunMetrics::set_verdict(const std::string& check, std::string_view verdict) {
  if (verdict != "PASS" && verdict != "FAIL") verdict = "UNKNOWN";
  for (const std::string_view one : {"PASS", "FAIL", "UNKNOWN"}) {
    registry_.set(kVerdict, {{"check", check}, {"verdict", std::string(one)}},
                  one == verdict ? 1 : 0);
  }
}

void RunMetrics::set_last_sample(std::chrono::system_clock::time_point time) {
  registry_.set(kLastSample, {}, unix_seconds(time));
}

void RunMetrics::end(const results::Document& document) {
  ports_.settle(document.counters);
  add_findings(document);
  add_failures(document);
  if (document.end) registry_.set(kRunEnd, {}, unix_seconds(*document.end));
  set_status(document);
}

void RunMetrics::set_status(const results::Document& document) {
  const std::string now = results::status_of(document);
  for (const ExitCode code :
       {ExitCode::ok, ExitCode::verdict_failed, ExitCode::usage, ExitCode::time_out,
        ExitCode::wrong_data, ExitCode::environment, ExitCode::interrupted}) {
    const std::string word(results::status_word(code));
    registry_.set(kRunStatus, {{"status", word}}, word == now ? 1 : 0);
  }
  registry_.set(kRunStatus, {{"status", kRunning}}, now == kRunning ? 1 : 0);
  registry_.set(kRunWarnings, {}, static_cast<double>(document.warnings.size()));
  set_verdict("run", run_verdict_of(document));
}

void RunMetrics::add_findings(const results::Document& document) {
  std::map<Labels, int> counts;
  for (const finding::Finding& one : document.report.findings) ++counts[labels_of(one)];
  for (const auto& [labels, count] : counts) registry_.set(kFindings, labels, count);
}

void RunMetrics::add_failures(const results::Document& document) {
  std::map<Labels, int> counts;
  for (const results::Failure& failure : document.failures) {
    ++counts[{{"kind", std::string(results::word(failure.kind))}, {"host", failure.host}}];
  }
  for (const auto& [labels, count] : counts) registry_.set(kFailures, labels, count);
}

metrics::Snapshot RunMetrics::snapshot() const {
  metrics::Snapshot all = registry_.snapshot();
  all.push_back({.metric = kForgottenSeries,
                 .series = {{.value = static_cast<double>(registry_.forgotten())}}});
  return all;
}

}  // namespace railgauge::runner
