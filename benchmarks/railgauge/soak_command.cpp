#include "benchmarks/railgauge/soak_command.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "benchmarks/railgauge/result_input.hpp"
#include "measure/sizes.hpp"
#include "results/codec.hpp"
#include "results/utc.hpp"
#include "soak/record_document.hpp"

namespace railgauge::benchmarks {
namespace {

using results::SoakBody;
using results::SoakRow;
using soak::Record;

constexpr std::size_t kMostEvents = 10;

std::string duration(double seconds) {
  constexpr double kSecondsPerMinute = 60;
  constexpr double kSecondsPerHour = 3600;
  constexpr double kMostMinutes = 2 * kSecondsPerHour;
  const bool hours = seconds > kMostMinutes;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), hours ? "%.2f h" : "%.1f min",
                seconds / (hours ? kSecondsPerHour : kSecondsPerMinute));
  return text.data();
}

double measured_s(const Record& record) {
  double sum = 0;
  for (const soak::Window& window : record.windows) sum += window.length_s;
  return sum;
}

/// A run that was killed leaves no end, as one that goes on: how long ago its last window was over
/// tells them apart.
std::string how_it_goes(const Record& record) {
  if (record.end && record.end->complete) return "complete";
  if (record.end) return "ended before its time: " + record.end->why;
  if (record.windows.empty()) return "no window is over yet";
  const soak::Window& last = record.windows.back();
  const std::chrono::duration<double> since = std::chrono::system_clock::now() - last.start;
  const double silent_s = std::max(0.0, since.count() - last.length_s);
  const bool late = silent_s > 3 * record.header.window_s + 60;
  return (late ? "no window for " : "running, last window ended ") +
         std::to_string(static_cast<int>(silent_s)) + " s" +
         (late ? ": is it still running? --resume goes on with it" : " ago");
}

void write_phase(std::ostream& out, const SoakRow& row) {
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(),
                "  %-14s %6s %10.3f %11.1f %11.1f %11.1f %11.1f %9s %8llu",
                row.phase.collective.c_str(), measure::format_size(row.phase.size_bytes).c_str(),
                row.busbw_gigabytes_per_second, row.p50_us, row.p99_us, row.p999_us, row.max_us,
                row.jct_ratio ? std::to_string(*row.jct_ratio).substr(0, 5).c_str() : "-",
                static_cast<unsigned long long>(row.wrong));
  out << text.data() << "\n";
}

void write_events(std::ostream& out, const SoakBody& body) {
  if (body.events.empty()) return;
  const std::size_t first = body.events.size() - std::min(body.events.size(), kMostEvents);
  out << "events: " << body.events_seen
      << (first > 0 ? ", of which the last " + std::to_string(kMostEvents) : "") << "\n";
  for (std::size_t at = first; at < body.events.size(); ++at) {
    const results::SoakEvent& event = body.events[at];
    out << "  " << results::utc(event.when) << " window " << event.window << ": "
        << word(event.kind) << ": " << event.text << "\n";
  }
}

void write_status(std::ostream& out, const Record& record, const SoakBody& body) {
  const results::SoakJudgement& judgement = body.judgement;
  out << word(judgement.verdict) << (record.end && record.end->complete ? "" : " so far") << "  "
      << record.header.run << ", " << how_it_goes(record) << "\n";
  for (const std::string& reason : judgement.reasons) out << "  " << reason << "\n";
  out << "started " << results::utc(record.header.started) << ", " << duration(measured_s(record))
      << " of " << duration(record.header.duration_s) << " in " << judgement.windows
      << " windows; load " << record.header.load_percent << " %\n";
  for (const results::SoakGap& gap : body.gaps) {
    out << "gap from " << results::utc(gap.from) << " to " << results::utc(gap.to) << ": "
        << gap.why << "\n";
  }
  if (judgement.bit_error_rate_bound) {
    out << "bit error rate below " << *judgement.bit_error_rate_bound << " (95 %)\n";
  }
  out << "  phase            size  busbw GB/s      p50 us      p99 us    p99.9 us  longest us "
         "JCT ratio    wrong\n";
  for (const SoakRow& row : body.rows) write_phase(out, row);
  write_events(out, body);
  for (const std::string& remark : record.remarks) out << "remark: " << remark << "\n";
}

}  // namespace

SoakCommand::SoakCommand(CLI::App& app)
    : command_(app.add_subcommand("soak", "What a soak has come to, from its record")) {
  CLI::App* const status =
      command_->add_subcommand("status", "Verdict, windows, phases and events, also while it runs");
  status->add_option("record", record_, "Record of soak_perf")->required();
  status->add_flag("--json", json_, "What a result document has of it");
  status->add_flag("--drain-reason", drain_reason_,
                   "Only the line for a scheduler, of at most 80 characters, if it failed");
  command_->require_subcommand(1);
}

results::ExitCode SoakCommand::run(std::ostream& out) const {
  if (!is_soak_record(record_)) {
    throw std::runtime_error(record_ + " is no record of a soak, or cannot be read");
  }
  const Record record = soak::read_record(record_);
  const results::Document document = soak::document_of(record, record_);
  const auto& body = std::get<SoakBody>(document.body);
  if (json_) {
    out << results::encode(body).dump(2) << "\n";
  } else if (!drain_reason_) {
    write_status(out, record, body);
  } else if (!body.judgement.drain_reason.empty()) {
    out << body.judgement.drain_reason << "\n";
  }
  return body.judgement.verdict == results::SoakVerdict::pass ? results::ExitCode::ok
                                                              : results::ExitCode::verdict_failed;
}

}  // namespace railgauge::benchmarks
