#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "benchmarks/railgauge/commands.hpp"
#include "finding/ranking.hpp"
#include "finding/words.hpp"
#include "measure/sizes.hpp"
#include "options/shared.hpp"
#include "results/codec.hpp"
#include "results/utc.hpp"
#include "soak/soak_summary.hpp"

namespace railgauge::benchmarks {
namespace {

using results::SoakBody;
using results::SoakRow;
using soak::Record;

constexpr std::size_t kMostFindings = 10;

std::string duration(double seconds) {
  constexpr double kSecondsPerMinute = 60;
  constexpr double kSecondsPerHour = 3600;
  constexpr double kMostMinutes = 2 * kSecondsPerHour;
  const bool hours = seconds > kMostMinutes;
  return finding::printed(hours ? "%.2f h" : "%.1f min",
                          seconds / (hours ? kSecondsPerHour : kSecondsPerMinute));
}

double measured_s(const Record& record) {
  double sum = 0;
  for (const soak::Window& window : record.windows) sum += window.length_s;
  return sum;
}

/// A record that was cut short says so in its coverage.
std::string how_it_goes(const Record& record, const finding::Report& report) {
  if (record.end && record.end->complete) return "complete";
  if (record.end) return "ended early: " + record.end->why;
  const auto cut = std::ranges::find(report.coverage, "record", &finding::Coverage::check);
  if (cut != report.coverage.end()) return cut->skipped.front();
  if (record.windows.empty()) return "no complete window yet";
  const std::chrono::duration<double> silent =
      std::chrono::system_clock::now() - record.windows.back().end();
  return "running, last window ended " +
         std::to_string(static_cast<int>(std::max(0.0, silent.count()))) + " s ago";
}

void write_phase(std::ostream& out, const SoakRow& row) {
  out << finding::printed(
      "  %-14s %6s %10.3f %11.1f %11.1f %11.1f %11.1f %9s %8llu\n", row.phase.collective.c_str(),
      measure::format_size(row.phase.size_bytes).c_str(), row.busbw_gigabytes_per_second,
      row.p50_us, row.p99_us, row.p999_us, row.max_us,
      row.jct_ratio ? std::to_string(*row.jct_ratio).substr(0, 5).c_str() : "-",
      static_cast<unsigned long long>(row.wrong));
}

/// The most severe first, with the time of the first window.
void write_findings(std::ostream& out, const finding::Report& report, std::uint64_t events) {
  const auto ranked = finding::ranked(report.findings);
  if (ranked.empty()) return;
  out << "findings: " << ranked.size() << ", of " << finding::counted(events, "event") << "\n";
  for (std::size_t at = 0; at < std::min(ranked.size(), kMostFindings); ++at) {
    const finding::Finding& one = ranked[at];
    out << "  " << (one.when ? results::utc(one.when->begin) + " " : "") << word(one.severity)
        << ": " << sentence(one) << "\n";
  }
  if (ranked.size() > kMostFindings)
    out << "  " << ranked.size() - kMostFindings << " more with --json\n";
}

/// What is not tested, where that decides.
void write_gaps(std::ostream& out, const finding::Report& report) {
  if (outcome(report) != finding::Outcome::inconclusive) return;
  for (const std::string& reason : finding::reasons(report)) out << "  " << reason << "\n";
}

void write_status(std::ostream& out, const Record& record, const results::Document& document) {
  const auto& body = std::get<SoakBody>(document.body);
  const results::SoakFigures& figures = body.figures;
  out << word(outcome(document.report)) << (record.end && record.end->complete ? "" : " so far")
      << "  " << record.header.run << ", " << how_it_goes(record, document.report) << "\n";
  write_gaps(out, document.report);
  out << "started " << results::utc(record.header.started) << ", " << duration(measured_s(record))
      << " of " << duration(record.header.duration_s) << " in " << figures.windows
      << " windows; load " << record.header.load_percent << " %\n";
  for (const results::SoakGap& gap : body.gaps) {
    out << "gap from " << results::utc(gap.from) << " to " << results::utc(gap.to) << ": "
        << gap.why << "\n";
  }
  if (figures.bit_error_rate_bound) {
    out << "bit error rate below " << *figures.bit_error_rate_bound << " (95 %)\n";
  }
  out << "  phase            size  busbw GB/s      p50 us      p99 us    p99.9 us  longest us "
         "JCT ratio    wrong\n";
  for (const SoakRow& row : body.rows) write_phase(out, row);
  write_findings(out, document.report, body.events_seen);
  for (const std::string& remark : record.remarks) out << "remark: " << remark << "\n";
}

/// What a result document has of it.
results::Json json_of(const results::Document& document) {
  results::Json json = results::encode(std::get<SoakBody>(document.body));
  json["outcome"] = word(outcome(document.report));
  json["findings"] = results::encode(document.report.findings);
  json["coverage"] = results::encode(document.report.coverage);
  return json;
}

class SoakStatusCommand final : public Command {
 public:
  SoakStatusCommand()
      : Command({.program = "railgauge soak status",
                 .about = "Show outcome, windows, phases and findings, also during the soak"}) {
    table().argument("record", record_);
    table().flag(options::json("").with("It is the soak's part of a result document"), json_);
    table().flag("--drain-reason", drain_reason_,
                 "Print only the reason for a scheduler, at most 80 bytes, if the soak failed");
  }

  [[nodiscard]] results::ExitCode run(std::ostream& out, std::ostream& remarks) const override;

 private:
  std::string record_;
  bool json_ = false;
  bool drain_reason_ = false;
};

results::ExitCode SoakStatusCommand::run(std::ostream& out, std::ostream& /*remarks*/) const {
  if (!soak::is_record(record_)) {
    throw std::runtime_error(record_ + " is not a soak record, or cannot be read");
  }
  const Record record = soak::read_record(record_);
  const results::Document document = soak::document_of(record, record_);
  if (json_) {
    out << json_of(document).dump(2) << "\n";
  } else if (!drain_reason_) {
    write_status(out, record, document);
  } else if (const std::string reason = finding::drain_reason(document.report); !reason.empty()) {
    out << reason << "\n";
  }
  const bool pass = outcome(document.report) == finding::Outcome::pass;
  return pass ? results::ExitCode::ok : results::ExitCode::verdict_failed;
}

}  // namespace

std::unique_ptr<Command> soak_status_command() {
  return std::make_unique<SoakStatusCommand>();
}

}  // namespace railgauge::benchmarks
