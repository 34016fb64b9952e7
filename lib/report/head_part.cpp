#include <algorithm>
#include <functional>

#include "report/facts.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"

namespace railgauge::report {
namespace {

using verdict::Verdict;

/// Without criteria a whole run has no verdict; one that is not whole fails all the same.
std::string banner(const Report& report) {
  const bool none = !report.asked && report.verdict != Verdict::fail;
  const std::string text =
      none ? "No verdict asked" : in_words(report.verdict, is_of_software(report));
  return "<p class=\"banner " + (none ? "none" : style_of(report.verdict)) + "\">" + text +
         "</p>\n";
}

/// One result has its facts below each other, several have a line each.
std::string facts(const Result& result) {
  std::vector<std::vector<Cell>> rows;
  for (const Fact& fact : facts_of(result)) rows.push_back({{fact.name, ""}, {fact.text, ""}});
  return "<div class=\"facts\">" + table({"", ""}, rows) + "</div>";
}

std::string facts(const std::vector<Result>& results) {
  static const std::vector<std::string> kNames{"what ran", "when", "where", "NICs", "plateau"};
  std::vector<std::vector<Cell>> rows;
  for (const Result& result : results) {
    rows.push_back({{result.run_set.name, ""}});
    const std::vector<Fact> all = facts_of(result);
    for (const std::string& name : kNames) {
      const auto fact = std::ranges::find(all, name, &Fact::name);
      rows.back().push_back({fact == all.end() ? "" : fact->text, ""});
    }
  }
  std::vector<std::string> head{"result"};
  head.insert(head.end(), kNames.begin(), kNames.end());
  return ranked_table(head, rows, "results");
}

int severity(const Result& result) {
  switch (verdict_of(result.judgement.findings)) {
    case Verdict::fail: return 4;
    case Verdict::inconclusive: return 3;
    case Verdict::no_reference: return 2;
    case Verdict::pass: return 1;
    case Verdict::note: break;
  }
  return 0;
}

/// Of many results the worst.
std::string sentences(const Report& report) {
  constexpr std::size_t kMost = 5;
  std::vector<const Result*> results;
  results.reserve(report.results.size());
  for (const Result& result : report.results) results.push_back(&result);
  std::ranges::stable_sort(results, std::greater{},
                           [](const Result* result) { return severity(*result); });
  std::string html;
  const std::size_t told = std::min(results.size(), kMost);
  for (std::size_t at = 0; at < told; ++at) {
    const std::string whose = results.size() > 1 ? results[at]->run_set.name + ": " : "";
    html += "<p class=\"sentence\">" + escaped(whose + sentence_of(*results[at], report.asked)) +
            "</p>\n";
  }
  return html;
}

}  // namespace

std::string head_part(const Report& report) {
  return element("header", "\n" + banner(report) + sentences(report) +
                               (report.results.size() == 1 ? facts(report.results.front())
                                                           : facts(report.results))) +
         "\n";
}

}  // namespace railgauge::report
