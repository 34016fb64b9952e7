#include "soak/soak_summary.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>

#include "soak/places.hpp"

namespace railgauge::soak {
namespace {

std::chrono::nanoseconds duration_of(double us) {
  return std::chrono::round<std::chrono::nanoseconds>(
      std::chrono::duration<double, std::micro>(us));
}

double median_of(const measure::Histogram& values) {
  constexpr unsigned kHalf = 500;
  return values.count() == 0 ? 0 : values.quantile_us(kHalf);
}

}  // namespace

Totals::Totals(const std::vector<Phase>& plan) : phases_(plan.size()) {
  for (std::size_t i = 0; i < plan.size(); ++i) phases_[i].row.phase = plan[i];
}

void Totals::take(Window& window, double measured_s) {
  for (PhaseSample& sample : window.phases) {
    if (sample.phase < phases_.size()) phases_[sample.phase].take(sample, measured_s);
  }
}

void Totals::OfPhase::take(PhaseSample& sample, double measured_s) {
  constexpr double kHour_s = 3600;
  row.iterations += sample.iterations;
  row.verified_iterations += sample.verified;
  row.wrong += sample.wrong;
  row.bytes += sample.bytes();
  row.max_us = std::max(row.max_us, sample.slowest.us);
  if (sample.p50_us <= 0) return;
  p50.record(duration_of(sample.p50_us));
  p99.record(duration_of(sample.p99_us));
  p999.record(duration_of(sample.p999_us));
  busbw_us = sample.busbw_gigabytes_per_second * sample.p50_us;
  if (measured_s < kHour_s || first_hour.count() == 0)
    first_hour.record(duration_of(sample.p50_us));
  sample.jct_ratio = sample.p50_us / median_of(first_hour);
  take_ratio(*sample.jct_ratio);
}

void Totals::OfPhase::take_ratio(double ratio) {
  row.jct_ratio = ratio;
  ratios += 1;
  const double off = ratio - mean;
  mean += off / ratios;
  squares += off * (ratio - mean);
}

results::SoakRow Totals::OfPhase::so_far() const {
  results::SoakRow done = row;
  done.p50_us = median_of(p50);
  done.p99_us = median_of(p99);
  done.p999_us = median_of(p999);
  if (done.p50_us > 0) done.busbw_gigabytes_per_second = busbw_us / done.p50_us;
  if (ratios > 1) done.jct_ratio_deviation = std::sqrt(squares / (ratios - 1));
  return done;
}

std::vector<results::SoakRow> Totals::rows() const {
  std::vector<results::SoakRow> all;
  all.reserve(phases_.size());
  for (const OfPhase& phase : phases_) all.push_back(phase.so_far());
  return all;
}

SoakSummary::SoakSummary(const Header& header)
    : run_(header.run),
      watcher_(header),
      coverage_(header),
      totals_(header.plan),
      until_(header.started) {}

std::vector<finding::Finding> SoakSummary::take(Window& window) {
  take_whole(window);
  std::vector<finding::Finding> found = watcher_.take(window);
  for (const finding::Finding& one : found) take_finding(one);
  return found;
}

std::vector<finding::Finding> SoakSummary::take(const Gap& gap) {
  gaps_.push_back(gap);
  coverage_.take(gap);
  std::vector<finding::Finding> found = watcher_.take(gap);
  for (const finding::Finding& one : found) take_finding(one);
  return found;
}

void SoakSummary::take_again(Line line) {
  if (auto* const window = std::get_if<Window>(&line)) {
    take_whole(*window);
    (void)watcher_.take(*window);
  } else if (const auto* const gap = std::get_if<Gap>(&line)) {
    gaps_.push_back(*gap);
    coverage_.take(*gap);
    (void)watcher_.take(*gap);
  } else if (const auto* const found = std::get_if<finding::Finding>(&line)) {
    take_finding(*found);
  } else if (const auto* const end = std::get_if<End>(&line)) {
    coverage_.take(*end);
  }
}

void SoakSummary::take_whole(Window& window) {
  totals_.take(window, measured_s_);
  coverage_.take(window);
  last_window_ = window.number;
  measured_s_ += window.length_s;
  until_ = window.end();
}

void SoakSummary::take_finding(const finding::Finding& finding) {
  coverage_.take(finding);
  findings_.add(finding);
  ++events_;
}

finding::Report SoakSummary::report() const {
  return {.findings = findings_.findings(), .coverage = coverage_.coverage()};
}

void SoakSummary::fill(results::SoakBody& body) const {
  body.run = run_;
  body.figures = figures();
  body.events_seen = events_;
  body.gaps = gaps_;
  body.rows = totals_.rows();
}

void SoakSummary::fill(State& state) const {
  const finding::Report all = report();
  state.run = run_;
  state.last_window = last_window_;
  state.outcome = outcome(all);
  state.reason = in_short(all);
}

namespace {

using results::ExitCode;

/// The outcome does not depend on the order of windows, gaps and findings.
void take_all(SoakSummary& summary, const Record& record) {
  for (const Window& window : record.windows) summary.take_again(window);
  for (const Gap& gap : record.gaps) summary.take_again(gap);
  for (const finding::Finding& finding : record.findings) summary.take_again(finding);
  if (record.end) summary.take_again(*record.end);
}

std::vector<results::PortCounters> counters_of(const Record& record) {
  std::map<PortKey, results::PortCounters> ports;
  for (const Window& window : record.windows) {
    for (const PortSample& port : window.ports) {
      results::PortCounters& sums = ports[key_of(port)];
      sums.host = port.host;
      sums.device = port.device;
      sums.port = port.port;
      sums.rail = port.rail;
      sums.plane = port.plane;
      sums.address = port.address;
      for (const auto& [name, by] : port.moved) {
        sums.before[name] = 0;
        sums.after[name] += by > 0 ? static_cast<std::uint64_t>(by) : 0;
      }
    }
  }
  std::vector<results::PortCounters> all;
  all.reserve(ports.size());
  for (auto& [key, sums] : ports) all.push_back(std::move(sums));
  return all;
}

std::uint64_t planned_windows(const Record& record) {
  const double planned =
      record.header.window_s > 0 ? std::ceil(record.header.duration_s / record.header.window_s) : 0;
  return std::max(static_cast<std::uint64_t>(planned), record.windows.size() + 1);
}

/// Why nothing is added any more; empty: it may grow.
std::string why_cut_short(const Record& record, const std::optional<State>& state,
                          std::chrono::system_clock::time_point now) {
  constexpr double kMinute_s = 60;
  if (record.end) return "";
  if (state && state->run == record.header.run && !state->samples_stopped.empty()) {
    const std::string& why = state->samples_stopped;
    return state->outcome == finding::Outcome::fail ? why + "; the run failed: " + state->reason
                                                    : why;
  }
  if (record.windows.empty()) return "";
  const std::chrono::duration<double> silent = now - record.windows.back().end();
  if (silent.count() <= 3 * record.header.window_s + kMinute_s) return "";
  return "no window for " + std::to_string(static_cast<std::int64_t>(silent.count())) +
         " s; check that it runs; --resume continues it";
}

ExitCode exit_code_of(const End& end) {
  if (!end.complete) return ExitCode::interrupted;
  return end.outcome == finding::Outcome::pass ? ExitCode::ok : ExitCode::verdict_failed;
}

}  // namespace

std::optional<finding::Coverage> cut_short(const Record& record, const std::optional<State>& state,
                                           std::chrono::system_clock::time_point now) {
  const std::string why = why_cut_short(record, state, now);
  if (why.empty()) return std::nullopt;
  const std::uint64_t planned = planned_windows(record);
  const std::uint64_t last = record.windows.empty() ? 0 : record.windows.back().number;
  return finding::Coverage{.check = "record",
                           .planned = planned,
                           .tested = record.windows.size(),
                           .skipped = {"the record ends at window " + std::to_string(last) +
                                       " of " + std::to_string(planned) + ": " + why},
                           .enough = planned};
}

results::Document document_of(const Record& record, const std::string& path) {
  const Header& header = record.header;
  results::Document document{.tool = header.tool, .start = header.started};
  document.command_line = header.command_line;
  document.options = header.options;
  document.hosts = header.hosts;
  document.ranks = header.ranks;
  document.warnings = record.remarks;
  document.counters = counters_of(record);
  if (record.end) {
    document.exit_code = exit_code_of(*record.end);
    document.end = record.end->when;
    if (!record.end->why.empty()) document.reasons = {record.end->why};
  }
  SoakSummary summary(header);
  take_all(summary, record);
  results::SoakBody body{
      .record = path, .window_s = header.window_s, .load_percent = header.load_percent};
  summary.fill(body);
  document.report = summary.report();
  if (auto cut = cut_short(record, read_state(path), std::chrono::system_clock::now()))
    document.report.coverage.push_back(std::move(*cut));
  document.body = std::move(body);
  if (record.end) document.report = results::report_of(document);
  return document;
}

}  // namespace railgauge::soak
