#include <algorithm>

#include "measure/sizes.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"
#include "verdict/reading.hpp"

namespace railgauge::report {
namespace {

using verdict::Finding;
using verdict::Verdict;

std::string style(Verdict verdict) {
  if (verdict == Verdict::pass) return "good";
  if (verdict == Verdict::fail) return "bad";
  return verdict == Verdict::no_reference ? "warn" : "";
}

/// Without criteria a whole run has no verdict; one that is not whole fails all the same.
std::string banner(const Report& report) {
  const bool none = !report.asked && report.verdict != Verdict::fail;
  const std::string text =
      none ? "No verdict asked" : in_words(report.verdict, is_of_software(report));
  return "<p class=\"banner " + (none ? "none" : style(report.verdict)) + "\">" + text + "</p>\n";
}

std::string not_whole(const Report& report) {
  std::string items;
  for (const Result& result : report.results) {
    for (const std::string& failure : result.run_set.failures) {
      items += element("li", escaped(result.run_set.name + ": " + failure));
    }
  }
  if (items.empty()) return "";
  return "<div class=\"alert\"><strong>Incomplete or wrong run: what follows is "
         "only a part.</strong><ul>" +
         items + "</ul></div>\n";
}

std::vector<Cell> line(const Result& result, const Finding& finding) {
  const auto figure = [](const std::optional<double>& value) {
    return Cell{value ? number_text(*value) : "", ""};
  };
  return {{in_words(finding.verdict, result.judgement.software), style(finding.verdict)},
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

/// The findings that are wanted, or nothing if there are none.
template <class Wanted>
std::string findings(const Report& report, const Wanted& wanted) {
  std::vector<std::vector<Cell>> rows;
  for (const Result& result : report.results) {
    for (const Finding& finding : result.judgement.findings) {
      if (wanted(finding)) rows.push_back(line(result, finding));
    }
  }
  if (rows.empty()) return "";
  return table({"verdict", "result", "criterion", "about", "where", "size", "ours", "theirs",
                "unit", "ratio", "remark"},
               rows);
}

std::string criteria(const Report& report) {
  std::vector<std::vector<Cell>> rows;
  for (const Result& result : report.results) {
    const auto& all = result.judgement.findings;
    for (const std::string& criterion : criteria_of(all)) {
      const Verdict verdict = verdict_of(all, criterion);
      rows.push_back({{in_words(verdict, result.judgement.software), style(verdict)},
                      {result.run_set.name, ""},
                      {criterion, ""},
                      {reading_in_words(all, criterion), ""}});
    }
  }
  return table({"verdict", "result", "criterion", "what it comes to"}, rows);
}

}  // namespace

bool is_of_software(const Report& report) {
  return std::ranges::any_of(report.results, [](const Result& r) { return r.judgement.software; });
}

std::string verdict_part(const Report& report) {
  const std::string failed = findings(report, [](const Finding& finding) {
    return finding.verdict == Verdict::fail && !is_failed_size(finding);
  });
  const std::string sizes = findings(report, is_failed_size);
  const std::string open = findings(
      report, [](const Finding& finding) { return finding.verdict == Verdict::no_reference; });
  const std::string rest = findings(report, [](const Finding& finding) {
    return finding.verdict == Verdict::pass || finding.verdict == Verdict::note;
  });
  std::string html = banner(report) + not_whole(report) + criteria(report);
  if (!failed.empty()) html += folded("What failed", failed, true);
  if (!sizes.empty()) html += folded("Sizes that failed", sizes, failed.empty());
  if (!open.empty()) html += folded("What has no answer", open, failed.empty() && sizes.empty());
  if (!rest.empty()) html += folded("What passed, and notes", rest);
  return section("Verdict", html);
}

}  // namespace railgauge::report
