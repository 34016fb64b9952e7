#include "results/document.hpp"

#include <algorithm>
#include <sstream>

namespace railgauge::results {
namespace {

/// Whether a run came to an end of its own: with an outcome, or stopped by the fabric.
bool ended(const std::optional<ExitCode>& code) {
  return code == ExitCode::ok || code == ExitCode::verdict_failed || code == ExitCode::time_out ||
         code == ExitCode::wrong_data;
}

}  // namespace

std::string_view word(Failure::Kind kind) {
  return json::word_of(kind, {"time-out", "transport", "wrong-data", "usage", "environment",
                              "verdict", "interrupted", "lost", "stopped"});
}

std::string status_of(const Document& document) {
  return document.exit_code ? std::string(status_word(*document.exit_code)) : "running";
}

finding::Report report_of(const Document& document) {
  constexpr const char* kRun = "run";
  finding::Report report = document.report;
  const bool known = std::ranges::count(report.coverage, kRun, &finding::Coverage::check) > 0;
  if (!ended(document.exit_code) && !known)
    report.coverage.push_back({.check = kRun, .planned = 1, .skipped = {status_of(document)}});
  return report;
}

finding::Outcome outcome_of(const Document& document) {
  const bool failed =
      document.exit_code == ExitCode::time_out || document.exit_code == ExitCode::wrong_data;
  return failed ? finding::Outcome::fail : finding::outcome(report_of(document));
}

std::string outcome_text(const Document& document) {
  return std::string(word(outcome_of(document)));
}

std::string option_text(const Document& document, const std::string& name) {
  const auto option = document.options.find(name);
  if (option == document.options.end()) return "";
  return std::visit(
      [](const auto& held) {
        std::ostringstream text;
        text << std::boolalpha << held;
        return text.str();
      },
      option->second.value);
}

std::string_view word(Option::Origin origin) {
  return json::word_of(origin, {"default", "command line", "config file", "environment"});
}

std::string_view word(DeviceKind kind) {
  return json::word_of(kind, {"hardware", "software", "software-shortcut"});
}

bool on_software(const std::vector<Rank>& ranks) {
  return std::ranges::any_of(ranks, [](const Rank& rank) {
    return std::ranges::any_of(
        rank.rails, [](const RankRail& rail) { return rail.kind != DeviceKind::hardware; });
  });
}

}  // namespace railgauge::results
