#include "runner/metrics/own_metrics.hpp"

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
constexpr Metric kFindings{.name = "railgauge_findings",
                           .help =
                               "Who is slow or loses packets: how many findings name it. Known "
                               "when the run ends."};
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

/// A run that was interrupted has not failed, nor has it passed.
std::string_view run_verdict_of(const results::Document& document) {
  if (!document.exit_code || *document.exit_code == ExitCode::interrupted) return "UNKNOWN";
  return *document.exit_code == ExitCode::ok ? "PASS" : "FAIL";
}

Labels labels_of(const results::Finding& finding) {
  return {{"cause", finding.cause},
          {"scope", finding.scope},
          {"host", finding.host},
          {"device", finding.device},
          {"rail", number_or_nothing(finding.rail)}};
}

}  // namespace

OwnMetrics::OwnMetrics() : ports_(registry_), rows_(registry_), soak_(registry_, ports_) {}

void OwnMetrics::begin(const results::Document& document) {
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

void OwnMetrics::row(const results::Document& document) {
  rows_.add_last(document.body);
  if (const auto* collective = std::get_if<results::CollectiveBody>(&document.body)) {
    for (const results::PortEvents& port : collective->rows.back().events) {
      ports_.add(name_of(port), port.moved);
    }
  }
  set_last_sample(registry_, std::chrono::system_clock::now());
  set_status(document);
}

void OwnMetrics::end(const results::Document& document) {
  ports_.settle(document.counters);
  add_findings(document);
  add_failures(document);
  if (document.end) registry_.set(kRunEnd, {}, unix_seconds(*document.end));
  set_status(document);
}

void OwnMetrics::set_status(const results::Document& document) {
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

void OwnMetrics::add_findings(const results::Document& document) {
  std::map<Labels, int> counts;
  if (const auto* held = std::get_if<results::CollectiveBody>(&document.body)) {
    for (const results::Finding& finding : held->findings) ++counts[labels_of(finding)];
  } else if (const auto* other = std::get_if<results::ReachabilityBody>(&document.body)) {
    counts[labels_of({.cause = "reachability", .scope = "fabric"})] =
        static_cast<int>(other->findings.size());
  }
  if (const auto* ways = std::get_if<results::PairsBody>(&document.body)) {
    counts[labels_of({.cause = "pairs", .scope = "fabric"})] =
        static_cast<int>(ways->findings.size());
  }
  for (const auto& [labels, count] : counts) registry_.set(kFindings, labels, count);
}

void OwnMetrics::add_failures(const results::Document& document) {
  std::map<Labels, int> counts;
  for (const results::Failure& failure : document.failures) {
    ++counts[{{"kind", std::string(results::Failure::word(failure.kind))}, {"host", failure.host}}];
  }
  for (const auto& [labels, count] : counts) registry_.set(kFailures, labels, count);
}

metrics::Snapshot OwnMetrics::snapshot() const {
  metrics::Snapshot all = registry_.snapshot();
  all.push_back({.metric = kForgottenSeries,
                 .series = {{.value = static_cast<double>(registry_.forgotten())}}});
  return all;
}

}  // namespace railgauge::runner
