#include <algorithm>

#include "finding/words.hpp"
#include "measure/sizes.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"
#include "results/utc.hpp"

namespace railgauge::report {
namespace {

using results::SoakBody;
using results::SoakGap;
using results::SoakRow;

std::string paragraph(const std::string& text) {
  return text.empty() ? "" : "<p class=\"words\">" + escaped(text) + "</p>\n";
}

std::string length_of(const SoakBody& body) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  const double seconds = static_cast<double>(body.figures.windows) * body.window_s;
  if (seconds < 2 * kMinute) return number_text(seconds) + " s";
  return seconds < kHour ? number_text(seconds / kMinute) + " min"
                         : number_text(seconds / kHour) + " h";
}

std::string windows_of(const results::SoakFigures& figures) {
  if (figures.deciding_windows.empty()) return "";
  std::vector<int> numbers;
  numbers.reserve(figures.deciding_windows.size());
  for (const std::uint64_t window : figures.deciding_windows) {
    numbers.push_back(static_cast<int>(window));
  }
  constexpr std::size_t kMost = 200;
  std::string text = listed(numbers);
  if (text.size() > kMost) text = text.substr(0, text.rfind(',', kMost)) + ", ...";
  return "Windows that decide the outcome: " + text;
}

std::string bound_of(const results::SoakFigures& figures) {
  if (!figures.bit_error_rate_bound) return "";
  return "Bit error rate below " + number_text(*figures.bit_error_rate_bound) +
         " with 95 % confidence: 3 / " + number_text(static_cast<double>(figures.bits)) +
         " bits, none of them lost or wrong.";
}

std::string gaps_table(const SoakBody& body) {
  if (body.gaps.empty()) return "";
  const auto row_of = [](const SoakGap& gap) -> Row {
    return {results::utc(gap.from), results::utc(gap.to), gap.lost_windows, gap.why,
            gap.resumed_by,         listed(gap.rebooted)};
  };
  return ranked_table({"from", "to", "windows lost", "why", "resumed by", "restarted hosts"},
                      rows_of(body.gaps, row_of), "gaps");
}

Row phase_row(const SoakRow& row) {
  std::vector<int> rails(row.phase.rails.begin(), row.phase.rails.end());
  return {plain(row.phase.collective) + ", " + row.phase.algorithm,
          measure::format_size(row.phase.size_bytes),
          listed(rails),
          row.iterations,
          row.verified_iterations,
          {row.wrong, row.wrong > 0 ? "bad" : ""},
          row.busbw_gigabytes_per_second,
          row.p50_us,
          row.p99_us,
          row.p999_us,
          row.max_us,
          row.jct_ratio,
          row.jct_ratio_deviation};
}

}  // namespace

std::string soak_part(const SoakBody& body) {
  return section("Soak", paragraph(windows_of(body.figures)) + paragraph(bound_of(body.figures))) +
         section("Gaps", gaps_table(body));
}

std::string what_ran(const SoakBody& body) {
  std::vector<std::string> collectives;
  std::set<std::uint64_t> sizes;
  for (const SoakRow& row : body.rows) {
    add_once(collectives, plain(row.phase.collective));
    sizes.insert(row.phase.size_bytes);
  }
  return joined(
      {"soak of " + finding::counted(body.figures.windows, "window") + ", " + length_of(body),
       listed(collectives), range_of(sizes),
       body.load_percent > 0 ? "load " + number_text(body.load_percent) + " %" : "",
       body.gaps.empty() ? "" : finding::counted(body.gaps.size(), "gap")});
}

/// Of the phase that carried most.
std::string plateau(const SoakBody& body, const verdict::RunSet& /*run_set*/) {
  const auto best = std::ranges::max_element(body.rows, {}, &SoakRow::busbw_gigabytes_per_second);
  if (best == body.rows.end() || !(best->busbw_gigabytes_per_second > 0)) return "";
  std::string text = number_text(best->busbw_gigabytes_per_second) + " GB/s, the median of " +
                     plain(best->phase.collective) + " " +
                     measure::format_size(best->phase.size_bytes);
  const auto& bound = body.figures.bit_error_rate_bound;
  return bound ? text + "; bit error rate below " + number_text(*bound) + " (95 %)" : text;
}

std::string parts_of(const SoakBody& body, const Ranks& /*ranks*/) {
  if (body.rows.empty()) return "";
  return section("Phases", table({"phase", "size", "rails", "iterations", "verified", "wrong",
                                  "GB/s", "p50, µs", "p99, µs", "p99.9, µs", "longest, µs",
                                  "JCT ratio", "JCT deviation"},
                                 rows_of(body.rows, phase_row)));
}

}  // namespace railgauge::report
