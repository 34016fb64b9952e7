#include <algorithm>
#include <cmath>
#include <utility>

#include "measure/sizes.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"
#include "verdict/reading.hpp"

namespace railgauge::report {
namespace {

using verdict::Finding;
using verdict::Verdict;

std::string not_whole(const Report& report) {
  std::vector<std::vector<Cell>> rows;
  for (const Result& result : report.results) {
    for (const std::string& failure : result.run_set.failures) {
      rows.push_back({{result.run_set.name, ""}, {failure, ""}});
    }
  }
  if (rows.empty()) return "";
  return "<div class=\"alert\"><strong>Incomplete or wrong run: what follows is "
         "only a part.</strong>" +
         ranked_table({"result", "what happened"}, rows, "failures") + "</div>\n";
}

std::vector<Cell> line(const Result& result, const Finding& finding) {
  const auto figure = [](const std::optional<double>& value) {
    return Cell{value ? number_text(*value) : "", ""};
  };
  return {{in_words(finding.verdict, result.judgement.software), style_of(finding.verdict)},
          {result.run_set.name, ""},
          {finding.criterion, ""},
          {std::string(word(finding.subject)), ""},
          {joined({finding.collective, finding.type, finding.algorithm, finding.setting,
                   plain(finding.buffers)}),
           ""},
          {finding.size_bytes ? measure::format_size(*finding.size_bytes) : "", ""},
          figure(finding.ours),
          figure(finding.theirs),
          {std::string(finding.unit), ""},
          figure(finding.ratio),
          {finding.remark, ""}};
}

bool is_failed_size(const Finding& finding) {
  return finding.verdict == Verdict::fail && finding.subject == verdict::Subject::size;
}

struct Found {
  const Result* result;
  const Finding* finding;
};

/// The worst ratio first; then counters, of which there may be thousands, those that moved most.
auto rank_of(const Found& found) {
  const Finding& finding = *found.finding;
  const bool counter = finding.subject == verdict::Subject::counter;
  const double rank = counter ? -std::abs(finding.ours.value_or(0)) : finding.ratio.value_or(1);
  return std::pair(counter, std::isnan(rank) ? 0 : rank);  // 0 of 0: nothing sorts by it
}

/// The findings that are wanted, or nothing if there are none.
template <class Wanted>
std::string findings(const Report& report, const Wanted& wanted) {
  std::vector<Found> all;
  for (const Result& result : report.results) {
    for (const Finding& finding : result.judgement.findings) {
      if (wanted(finding)) all.push_back({&result, &finding});
    }
  }
  if (all.empty()) return "";
  std::ranges::stable_sort(all, {}, rank_of);
  std::vector<std::vector<Cell>> rows;
  rows.reserve(all.size());
  for (const Found& found : all) rows.push_back(line(*found.result, *found.finding));
  return ranked_table({"verdict", "result", "criterion", "about", "where", "size", "ours", "theirs",
                       "unit", "ratio", "remark"},
                      rows, "findings");
}

std::string criteria(const Report& report) {
  std::vector<std::vector<Cell>> rows;
  for (const Result& result : report.results) {
    const auto& all = result.judgement.findings;
    for (const std::string& criterion : criteria_of(all)) {
      const Verdict verdict = verdict_of(all, criterion);
      rows.push_back({{in_words(verdict, result.judgement.software), style_of(verdict)},
                      {result.run_set.name, ""},
                      {criterion, ""},
                      {reading_in_words(all, criterion), ""}});
    }
  }
  return table({"verdict", "result", "criterion", "what it comes to"}, rows);
}

}  // namespace

std::string style_of(Verdict verdict) {
  if (verdict == Verdict::pass) return "good";
  if (verdict == Verdict::fail) return "bad";
  return is_open(verdict) ? "warn" : "";
}

bool is_of_software(const Report& report) {
  return std::ranges::any_of(report.results, [](const Result& r) { return r.judgement.software; });
}

std::string verdict_part(const Report& report) {
  const std::string failed = findings(report, [](const Finding& finding) {
    return finding.verdict == Verdict::fail && !is_failed_size(finding);
  });
  const std::string sizes = findings(report, is_failed_size);
  const std::string open =
      findings(report, [](const Finding& finding) { return is_open(finding.verdict); });
  const std::string rest = findings(report, [](const Finding& finding) {
    return finding.verdict == Verdict::pass || finding.verdict == Verdict::note;
  });
  std::string html = not_whole(report) + criteria(report);
  if (!failed.empty()) html += folded("What failed", failed, true);
  if (!sizes.empty()) html += folded("Sizes that failed", sizes, failed.empty());
  if (!open.empty()) html += folded("What has no answer", open, failed.empty() && sizes.empty());
  if (!rest.empty()) html += folded("What passed, and notes", rest);
  return section("Verdict", html);
}

}  // namespace railgauge::report
