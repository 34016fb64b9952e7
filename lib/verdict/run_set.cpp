#include "verdict/run_set.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "finding/words.hpp"
#include "json/fields.hpp"
#include "results/codec.hpp"
#include "results/nic_use.hpp"
#include "telemetry/meaning.hpp"
#include "verdict/library.hpp"

namespace railgauge::verdict {
namespace {

using results::CollectiveBody;
using results::CollectiveRow;
using results::Document;
using results::ExitCode;
using results::Measurement;
using results::SweepPoint;

std::optional<SlowestRail> slowest_rail_of(const Measurement& measurement) {
  const auto percent = imbalance_of(measurement.rails).time_percent;
  if (!percent) return std::nullopt;
  const results::RailResult& late = results::slowest(measurement.rails);
  const bool planes =
      std::ranges::count(measurement.rails, late.rail, &results::RailResult::rail) > 1;
  return SlowestRail{static_cast<int>(late.rail), planes ? late.plane : -1, *percent};
}

std::optional<double> granted_share(const std::vector<results::RankLoad>& loads) {
  double ran_us = 0;
  double wanted_us = 0;
  for (const results::RankLoad& load : loads) {
    if (!load.queued_us) return std::nullopt;
    ran_us += load.ran_us;
    wanted_us += load.ran_us + *load.queued_us;
  }
  if (wanted_us <= 0) return std::nullopt;
  return ran_us / wanted_us;
}

Point point_of(const CollectiveRow& row, const results::Measured& measured) {
  const Measurement& found = measured.measurement;
  Point point;
  point.size_bytes = row.size_bytes;
  point.type = row.type;
  point.op = row.op;
  point.algorithm = row.algorithm;
  point.buffers = measured.mode;
  point.time_us = found.time.p50_us;
  if (found.time.min_us > 0) point.min_us = found.time.min_us;
  if (found.time.p90_us > 0) point.p90_us = found.time.p90_us;
  if (found.time.p999_us > 0) point.p999_us = found.time.p999_us;
  point.algbw_gigabytes_per_second = found.algbw_gigabytes_per_second;
  point.busbw_gigabytes_per_second = found.busbw_gigabytes_per_second;
  point.median_interval = found.median_interval;
  point.slowest_rail = slowest_rail_of(found);
  point.cpu_share = results::cpu_share(row.rank_loads);
  point.granted_share = granted_share(row.rank_loads);
  return point;
}

std::optional<double> slowest_memory(const std::vector<results::Host>& hosts) {
  std::optional<double> slowest;
  for (const results::Host& host : hosts) {
    const auto& rate = host.memory_gigabytes_per_second;
    if (!rate) return std::nullopt;
    slowest = std::min(slowest.value_or(*rate), *rate);
  }
  return slowest;
}

/// The runs of a collective's result, by their sweep points.
class CollectiveRuns {
 public:
  CollectiveRuns(const Document& document, const CollectiveBody& body)
      : collective_(body.collective),
        by_memory_(option_text(document, "same-host") == "memory"),
        group_ranks_(body.groups.empty() ? document.ranks.size() : body.groups.front().size()),
        ranks_(document.ranks),
        memory_(slowest_memory(document.hosts)) {
    for (const CollectiveRow& row : body.rows) add(row);
  }

  [[nodiscard]] std::vector<Run> runs() const {
    std::vector<SweepPoint> points;
    for (const auto& [point, run] : runs_) points.push_back(point);
    std::vector<Run> all;
    for (const auto& [point, run] : runs_) {
      all.push_back(run);
      all.back().name = in_words(point, points);
      all.back().points = without_repetitions(run.points);
    }
    return all;
  }

 private:
  void add(const CollectiveRow& row) {
    for (const results::Measured& measured : measurements_of(row)) {
      const auto found = runs_.try_emplace(row.point, run_at(row.point)).first;
      found->second.points.push_back(point_of(row, measured));
    }
  }

  [[nodiscard]] Run run_at(const SweepPoint& point) const {
    const auto use =
        results::nic_use_of(ranks_, {point.rails.begin(), point.rails.end()}, by_memory_);
    Run run{.point = point,
            .collective = collective_,
            .nodes = use.nodes,
            .ranks = use.ranks,
            .split = point.split,
            .nics_per_node = use.nics_per_node,
            .line_rate_gigabits_per_second = use.line_rate_gigabits_per_second,
            .beside_nics = use.beside_nics};
    if (point.memory == results::MemoryKind::host) run.memory_gigabytes_per_second = memory_;
    if (point.unreduced) run.not_a_target = kOfUnreduced;
    if (!point.split.empty()) {
      run.not_a_target = kOfGroups;
      run.group_ranks = static_cast<int>(group_ranks_);
    }
    return run;
  }

  std::string collective_;
  bool by_memory_;  // whether ranks of one host exchange their data through memory
  std::size_t group_ranks_;
  const std::vector<results::Rank>& ranks_;
  std::optional<double> memory_;
  std::map<SweepPoint, Run> runs_;
};

std::map<std::string, std::int64_t> deltas_of(const telemetry::Counters& before,
                                              const telemetry::Counters& after) {
  std::map<std::string, std::int64_t> moves;
  for (const auto& [name, value] : after) {
    if (!before.contains(name)) continue;
    moves[name] = telemetry::advance(name, before.at(name), value);
  }
  return moves;
}

finding::Location place_of(const results::PortCounters& port) {
  return {.scope = finding::Scope::port,
          .at = {.host = port.host,
                 .device = port.device,
                 .port = port.port,
                 .rail = port.rail,
                 .plane = port.plane,
                 .address = port.address}};
}

std::vector<CounterDeltas> ports_of(const Document& document) {
  std::vector<CounterDeltas> ports;
  std::map<std::string, int> count;
  for (const results::PortCounters& counters : document.counters) {
    const std::string name =
        counters.host + " " + counters.device + "/" + std::to_string(counters.port);
    ports.push_back({name, place_of(counters), deltas_of(counters.before, counters.after)});
    ++count[name];
  }
  for (CounterDeltas& port : ports) {
    const std::string& address = port.where.at.address;
    if (count[port.port] > 1 && !address.empty()) port.port += " " + address;
  }
  return ports;
}

/// The first line of the first reason, of which a thousand ranks may have a thousand: what every
/// channel waited for is in the document.
std::string how_it_ended(const Document& document) {
  std::string text = "the run did not end well: " + status_of(document);
  if (document.reasons.empty()) return text;
  const std::string& first = document.reasons.front();
  const std::size_t left = document.reasons.size() - 1;
  return text + "; " + first.substr(0, first.find('\n')) +
         (left == 0 ? "" : "; and " + finding::counted(left, "more reason"));
}

finding::Finding about_run(finding::Cause cause, const std::string& detail) {
  finding::Finding found = finding::found("run", cause, {});
  found.certainty = finding::Certainty::confirmed;
  found.detail = detail;
  return found;
}

void add_wrong_elements(finding::Report& report, const CollectiveBody& body) {
  for (const CollectiveRow& row : body.rows) {
    for (const results::Measured& measured : measurements_of(row)) {
      if (measured.measurement.wrong.value_or(0) == 0) continue;
      report.findings.push_back(
          about_run(finding::Cause::wrong_data, std::to_string(row.size_bytes) + " bytes " +
                                                    std::string(word(measured.mode)) +
                                                    ": elements are wrong"));
    }
  }
}

void add_gap(finding::Report& report, const std::string& why) {
  report.coverage.push_back({.check = "run", .planned = 1, .skipped = {why}});
}

/// By the rule of results::outcome_of(), with the reasons.
void add_end(finding::Report& report, const Document& document) {
  const ExitCode code = document.exit_code.value_or(ExitCode::interrupted);
  const bool known = std::ranges::count(report.coverage, "run", &finding::Coverage::check) > 0;
  if (code == ExitCode::time_out) {
    report.findings.push_back(about_run(finding::Cause::time_out, how_it_ended(document)));
  } else if (code == ExitCode::wrong_data) {
    report.findings.push_back(about_run(finding::Cause::wrong_data, how_it_ended(document)));
  } else if (code != ExitCode::ok && code != ExitCode::verdict_failed && !known) {
    add_gap(report, how_it_ended(document));
  }
}

/// The document's report, with how the run ended.
finding::Report own_report(const Document& document) {
  finding::Report report = document.report;
  add_end(report, document);
  if (const auto* body = std::get_if<CollectiveBody>(&document.body))
    add_wrong_elements(report, *body);
  const bool tested = std::ranges::any_of(report.coverage, &finding::Coverage::tested);
  if (row_count(document.body) == 0) {
    add_gap(report, "nothing was measured");
  } else if (!tested) {
    add_gap(report, "nothing was tested");
  }
  return report;
}

RunSet run_set_of(const Document& document) {
  RunSet run_set{.kind = kind_name(document.body)};
  if (const auto* body = std::get_if<CollectiveBody>(&document.body))
    run_set.runs = CollectiveRuns(document, *body).runs();
  run_set.keyed =
      std::visit([&](const auto& body) { return keyed_of(body, document.report); }, document.body);
  run_set.report = own_report(document);
  run_set.ports = ports_of(document);
  run_set.software = results::on_software(document.ranks);
  return run_set;
}

/// A log may have no line that says why.
std::string why_of(const Ending& ending) {
  return ending.reasons.empty() ? std::string(word(ending.how)) + ", and it does not say why"
                                : finding::joined(ending.reasons, "; ");
}

/// Numbers that are none are the benchmark's fault, and wrong elements the fabric's or a host's.
finding::Finding about_log(const Ending& ending) {
  const bool wrong = ending.how == Ended::wrong_data;
  finding::Finding found =
      about_run(wrong ? finding::Cause::wrong_data : finding::Cause::missing_result,
                "the log: " + why_of(ending));
  if (wrong)
    found.remedy =
        "read these lines: wrong elements come from memory or firmware of hosts, NICs and "
        "switches, nan and inf from the benchmark";
  return found;
}

RunSet run_set_of(const Reference& reference) {
  RunSet run_set{.runs = reference.runs};
  if (reference.ending) run_set.report = report_of(*reference.ending);
  run_set.software = std::ranges::any_of(
      reference.runs, [](const Run& run) { return run.not_a_target == kOfSoftware; });
  return run_set;
}

RunSet run_set_of(const doctor::Document& examination) {
  return {.kind = "doctor", .report = examination.report, .hosts = examination};
}

doctor::Document examination_in(const nlohmann::ordered_json& document) {
  doctor::Document examination;
  json::decode(document, examination);
  for (const doctor::CheckSummary& check : examination.checks)
    static_cast<void>(verdicts_of(check, examination.hosts.size()));
  return examination;
}

}  // namespace

/// Lines that were not understood are told (judgement.hpp), but do not decide: their sizes were
/// not measured.
std::optional<finding::Report> report_of(const Ending& ending) {
  finding::Report report;
  if (ending.how >= Ended::failed) report.findings.push_back(about_log(ending));
  if (ending.how == Ended::cut) add_gap(report, "the log: " + why_of(ending));
  const bool complete = ending.how == Ended::complete;
  if (complete || ending.skipped_lines > 0)
    report.coverage.push_back({.check = "run", .planned = 1, .tested = 1, .enough = 1});
  if (ending.skipped_lines > 0) {
    report.coverage.back().planned += ending.skipped_lines;
    report.coverage.back().skipped = {ending.skipped_lines == 1
                                          ? "1 line of the log was not understood"
                                          : std::to_string(ending.skipped_lines) +
                                                " lines of the log were not understood"};
  }
  if (report.findings.empty() && report.coverage.empty()) return std::nullopt;
  return report;
}

Input input_of(const nlohmann::ordered_json& document, const std::string& name) {
  try {
    if (results::is_result(document)) return results::read_document(document);
    json::expect_schema(document,
                        {"railgauge/result/3", "railgauge/reference/1", "railgauge/doctor/1"});
    if (json::schema_of(document) == "railgauge/doctor/1") return examination_in(document);
    return reference_of(document);
  } catch (const std::exception& error) {
    throw std::runtime_error("cannot read " + name + ": " + error.what());
  }
}

RunSet run_set_of(const Input& input, const std::string& name) {
  RunSet run_set = std::visit([](const auto& held) { return run_set_of(held); }, input);
  run_set.name = name;
  refuse_inconsistent(run_set.runs, name);
  return run_set;
}

}  // namespace railgauge::verdict
