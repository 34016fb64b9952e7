#include <algorithm>
#include <cmath>
#include <utility>

#include "finding/ranking.hpp"
#include "finding/words.hpp"
#include "measure/sizes.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"

namespace railgauge::report {
namespace {

using verdict::Answer;

std::string answer_style(Answer answer) {
  if (answer == Answer::passed) return "good";
  if (answer == Answer::failed) return "bad";
  return answer == Answer::open ? "warn" : "";
}

Row line(const Result& result, const verdict::Row& row) {
  const std::string size = row.size_bytes ? measure::format_size(*row.size_bytes) : "";
  return {{word(row.answer), answer_style(row.answer)},
          result.run_set.name,
          row.criterion,
          word(row.subject),
          joined(place_words(row)),
          size,
          row.ours,
          row.theirs,
          row.unit,
          row.ratio,
          remark_of(row)};
}

/// The worst ratio first; then counters, of which there may be thousands, those that moved most.
auto rank_of(const std::pair<const Result*, const verdict::Row*>& one) {
  const verdict::Row& row = *one.second;
  const bool counter = row.subject == verdict::Subject::counter;
  const double rank = counter ? -std::abs(row.ours.value_or(0)) : row.ratio.value_or(1);
  return std::pair(counter, std::isnan(rank) ? 0 : rank);  // 0 of 0: nothing sorts by it
}

/// The rows that are wanted, folded up, or nothing if there are none.
template <class Wanted>
std::string rows_part(const Report& report, const std::string& title, bool open,
                      const Wanted& wanted) {
  std::vector<std::pair<const Result*, const verdict::Row*>> all;
  for (const Result& result : report.results) {
    for (const verdict::Part& part : result.judgement.parts) {
      for (const verdict::Row& row : part.rows) {
        if (wanted(row.answer)) all.emplace_back(&result, &row);
      }
    }
  }
  if (all.empty()) return "";
  std::ranges::stable_sort(all, {}, rank_of);
  const auto rows = rows_of(all, [](const auto& one) { return line(*one.first, *one.second); });
  return folded(title,
                ranked_table({"answer", "result", "criterion", "about", "where", "size", "ours",
                              "theirs", "unit", "ratio", "remark"},
                             rows, "rows"),
                open);
}

std::string criteria(const Report& report) {
  std::vector<Row> rows;
  for (const Result& result : report.results) {
    const verdict::Judgement& judgement = result.judgement;
    for (const verdict::Part& part : judgement.parts) {
      if (!tells_more(judgement, part)) continue;
      const finding::Outcome outcome = outcome_of(judgement, part);
      rows.push_back({{verdict::outcome_words(outcome, judgement.software), style_of(outcome)},
                      result.run_set.name,
                      part.criterion,
                      finding::joined(reasons_of(judgement, part), "; ")});
    }
  }
  return rows.empty() ? "" : table({"outcome", "result", "criterion", "reasons"}, rows);
}

/// "400 : 1".
std::string odds_text(const std::optional<double>& log10) {
  constexpr double kPlain = 4;
  constexpr double kTen = 10;
  if (!log10) return "";
  if (*log10 >= kPlain) return "1e" + number_text(std::floor(*log10)) + " : 1";
  return number_text(std::round(std::pow(kTen, *log10))) + " : 1";
}

Row finding_row(const finding::FindingGroup& group) {
  const finding::Finding& first = group.first;
  return {word(first.severity), word(first.certainty), sentence(group)};
}

/// With what the search for faulty components knows, too.
Row finding_row_with_odds(const finding::FindingGroup& group) {
  const finding::Finding& first = group.first;
  Row row = finding_row(group);
  row.insert(row.end(), {odds_text(first.log10_odds), first.next ? in_words(*first.next) : "",
                         odds_text(first.log10_odds_to_next)});
  return row;
}

}  // namespace

std::string style_of(finding::Outcome outcome) {
  if (outcome == finding::Outcome::pass) return "good";
  return outcome == finding::Outcome::fail ? "bad" : "warn";
}

bool tells_more(const verdict::Judgement& judgement, const verdict::Part& part) {
  return decides(part) &&
         (!part.rows.empty() || outcome_of(judgement, part) == finding::Outcome::inconclusive);
}

finding::Outcome outcome_of(const Report& report) {
  std::vector<verdict::Judgement> judgements;
  for (const Result& result : report.results) judgements.push_back(result.judgement);
  return outcome_of(judgements);
}

std::string outcome_words(const Report& report) {
  const bool software = std::ranges::any_of(
      report.results, [](const Result& result) { return result.judgement.software; });
  return verdict::outcome_words(outcome_of(report), software);
}

std::string verdict_part(const Report& report) {
  const std::string failed =
      rows_part(report, "Failed", true, [](Answer answer) { return answer == Answer::failed; });
  return section("Outcome", criteria(report) + failed +
                                rows_part(report, "Not compared", failed.empty(),
                                          [](Answer answer) { return answer == Answer::open; }) +
                                rows_part(report, "Passed, and notes", false, [](Answer answer) {
                                  return answer == Answer::passed || answer == Answer::note;
                                }));
}

std::string findings_part(const finding::Report& report) {
  if (report.findings.empty()) return "";
  const auto groups = grouped(finding::ranked(report.findings));
  std::vector<std::string> head{"severity", "certainty", "finding"};
  const bool odds = std::ranges::any_of(
      report.findings, [](const finding::Finding& one) { return one.log10_odds.has_value(); });
  if (odds) head.insert(head.end(), {"odds", "next candidate", "odds against it"});
  return section("Findings",
                 table(head, rows_of(groups, odds ? finding_row_with_odds : finding_row)));
}

}  // namespace railgauge::report
