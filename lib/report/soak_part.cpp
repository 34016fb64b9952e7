#include <algorithm>

#include "measure/sizes.hpp"
#include "report/html.hpp"
#include "report/lists.hpp"
#include "report/parts.hpp"
#include "results/utc.hpp"

namespace railgauge::report {
namespace {

using results::SoakBody;
using results::SoakEvent;
using results::SoakGap;
using results::SoakRow;
using results::SoakVerdict;
using Rows = std::vector<std::vector<Cell>>;

std::string style(SoakVerdict verdict) {
  if (verdict == SoakVerdict::pass) return "good";
  return verdict == SoakVerdict::fail ? "bad" : "warn";
}

std::string paragraph(const std::string& text, const char* style_class = "words") {
  return text.empty() ? ""
                      : "<p class=\"" + std::string(style_class) + "\">" + escaped(text) + "</p>\n";
}

std::string windows_of(const results::SoakJudgement& judgement) {
  if (judgement.deciding_windows.empty()) return "";
  std::vector<int> numbers;
  numbers.reserve(judgement.deciding_windows.size());
  for (const std::uint64_t window : judgement.deciding_windows) {
    numbers.push_back(static_cast<int>(window));
  }
  constexpr std::size_t kMost = 200;
  std::string text = listed(numbers);
  if (text.size() > kMost) text = text.substr(0, text.rfind(',', kMost)) + ", ...";
  return "Windows that decide: " + text;
}

std::string bound_of(const results::SoakJudgement& judgement) {
  if (!judgement.bit_error_rate_bound) return "";
  return "Bit error rate below " + number_text(*judgement.bit_error_rate_bound) +
         " with 95 % confidence: 3 / " + number_text(static_cast<double>(judgement.bits)) +
         " bits, none of which was lost or wrong.";
}

std::string optional_text(const std::optional<int>& value) {
  return value ? std::to_string(*value) : "";
}

std::string events_table(const SoakBody& body) {
  if (body.events.empty()) return "";
  Rows rows;
  rows.reserve(body.events.size());
  for (const SoakEvent& event : body.events) {
    rows.push_back({{results::utc(event.when), ""},
                    {std::to_string(event.window), ""},
                    {std::string(word(event.kind)), "chosen"},
                    {event.host, ""},
                    {event.device, ""},
                    {optional_text(event.rail), ""},
                    {event.text, ""},
                    {event.cause, ""}});
  }
  return ranked_table({"time", "window", "event", "host", "device", "rail", "what", "cause"}, rows,
                      "events");
}

std::string gaps_table(const SoakBody& body) {
  if (body.gaps.empty()) return "";
  Rows rows;
  rows.reserve(body.gaps.size());
  for (const SoakGap& gap : body.gaps) {
    rows.push_back({{results::utc(gap.from), ""},
                    {results::utc(gap.to), ""},
                    {std::to_string(gap.lost_windows), ""},
                    {gap.why, ""},
                    {gap.resumed_by, ""},
                    {listed(gap.rebooted), ""}});
  }
  return ranked_table({"from", "to", "windows lost", "why", "resumed by", "hosts started anew"},
                      rows, "gaps");
}

std::string optional_number(const std::optional<double>& value) {
  return value ? number_text(*value) : "";
}

std::vector<Cell> cells_of(const SoakRow& row) {
  std::vector<int> rails(row.phase.rails.begin(), row.phase.rails.end());
  return {{plain(row.phase.collective) + ", " + row.phase.algorithm, ""},
          {measure::format_size(row.phase.size_bytes), ""},
          {listed(rails), ""},
          {std::to_string(row.iterations), ""},
          {std::to_string(row.verified_iterations), ""},
          {std::to_string(row.wrong), row.wrong > 0 ? "bad" : ""},
          {number_text(row.busbw_gigabytes_per_second), ""},
          {number_text(row.p50_us), ""},
          {number_text(row.p99_us), ""},
          {number_text(row.p999_us), ""},
          {number_text(row.max_us), ""},
          {optional_number(row.jct_ratio), ""},
          {optional_number(row.jct_ratio_deviation), ""}};
}

}  // namespace

std::string soak_part(const SoakBody& body) {
  const results::SoakJudgement& judgement = body.judgement;
  std::string html = "<p class=\"sentence " + style(judgement.verdict) + "\">" +
                     std::string(word(judgement.verdict)) + "</p>\n";
  std::string reasons;
  for (const std::string& reason : judgement.reasons) {
    reasons += element("li", escaped(reason)) + "\n";
  }
  if (!reasons.empty()) html += element("ul", "\n" + reasons) + "\n";
  html +=
      paragraph(windows_of(judgement)) + paragraph(bound_of(judgement)) +
      paragraph(judgement.drain_reason.empty() ? "" : "For a scheduler: " + judgement.drain_reason);
  const std::string more = left_out(body.events_seen - body.events.size(), "events");
  return section("Soak", html) + section("Events", events_table(body) + more) +
         section("Gaps", gaps_table(body));
}

std::string soak_rows_part(const SoakBody& body) {
  if (body.rows.empty()) return "";
  Rows rows;
  rows.reserve(body.rows.size());
  for (const SoakRow& row : body.rows) rows.push_back(cells_of(row));
  return section("Phases", table({"phase", "size", "rails", "iterations", "verified", "wrong",
                                  "GB/s", "p50, µs", "p99, µs", "p99.9, µs", "longest, µs",
                                  "JCT ratio", "its deviation"},
                                 rows));
}

}  // namespace railgauge::report
