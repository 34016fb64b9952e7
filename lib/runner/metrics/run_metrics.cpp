#include "runner/metrics/run_metrics.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "runner/metrics/base_units.hpp"
#include "runner/metrics/vital_metrics.hpp"

namespace railgauge::runner {
namespace {

using metrics::Labels;
using metrics::Metric;
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
    .kind = metrics::Kind::counter,
    .help = "Series of older sizes and settings that newer ones replaced."};

constexpr const char* kRunning = "running";

std::string program_name_of(const results::Document& document) {
  if (document.command_line.empty()) return "";
  return std::filesystem::path(document.command_line.front()).filename();
}

bool runs_on_software(const results::Document& document) {
  const auto software = [](const results::RankRail& rail) {
    return rail.kind != results::DeviceKind::hardware;
  };
  return std::ranges::any_of(document.ranks, [&](const results::Rank& rank) {
    return std::ranges::any_of(rank.rails, software);
  });
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

}  // namespace

RunMetrics::RunMetrics() : ports_(registry_), rows_(registry_) {}

void RunMetrics::begin(const results::Document& document) {
  registry_.set(kBuildInfo, {{"version", document.tool.version}, {"commit", document.tool.commit}},
                1);
  registry_.set(kRunInfo,
                {{"program", program_name_of(document)},
                 {"test", results::kind_name(document.body)},
                 {"devices", runs_on_software(document) ? "software" : "hardware"}},
                1);
  registry_.set(kRunStart, {}, unix_seconds(document.start));
  registry_.set(kRunRanks, {}, static_cast<double>(document.ranks.size()));
  registry_.set(kRunHosts, {}, static_cast<double>(document.hosts.size()));
  ports_.add_ports(document.ranks);
  for (const results::PortCounters& port : document.counters) {
    ports_.add_classes(name_of(port), port.before);
  }
  set_last_sample(registry_, document.start);
  set_status(document);
}

void RunMetrics::row(const results::Document& document) {
  rows_.add_last(document.body);
  if (const auto* collective = std::get_if<results::CollectiveBody>(&document.body)) {
    for (const results::PortEvents& port : collective->rows.back().events) {
      ports_.add(name_of(port), port.moved);
    }
  }
  set_last_sample(registry_, std::chrono::system_clock::now());
  set_status(document);
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
  set_verdict(registry_, "run", run_verdict_of(document));
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
