#include "verdict/judgement.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "finding/ranking.hpp"
#include "finding/words.hpp"
#include "json/fields.hpp"
#include "manual/layout.hpp"
#include "measure/sizes.hpp"
#include "results/codec.hpp"
#include "results/table.hpp"

namespace railgauge::verdict {
namespace {

using json::Json;

constexpr const char* kHead =
    "    answer        about      size        ours      theirs  unit        ratio   our %  their "
    "%\n";

std::string fixed(const std::optional<double>& value, const char* format) {
  return value ? results::printed(format, *value) : "-";
}

/// Two digits behind the point; of slow fabrics three that tell something.
std::string figure(const std::optional<double>& value) {
  constexpr double kSmall = 0.1;
  const bool small = value && *value != 0 && std::abs(*value) < kSmall;
  return fixed(value, small ? "%.3g" : "%.2f");
}

std::string percent(const std::optional<double>& fraction) {
  return fraction ? fixed(100 * *fraction, "%.1f") : "-";
}

std::string size_of(const Row& row) {
  return row.size_bytes ? measure::format_size(*row.size_bytes) : "-";
}

/// Words in lines of at most manual::kColumns, the first one behind `begin`, the others indented
/// like it.
std::string wrapped(const std::string& begin, const std::string& words) {
  const std::string lines = manual::wrapped(words, begin.size());
  return lines.empty() ? begin + "\n" : begin + lines.substr(begin.size());
}

/// What a curve's rows have in common.
std::string curve_of(const Row& row) {
  std::vector<std::string> parts = place_words(row);
  if (row.ranks) parts.push_back(std::to_string(*row.ranks) + " ranks");
  if (row.nics_per_node) parts.push_back(std::to_string(*row.nics_per_node) + " NICs a host");
  return finding::joined(parts, " ");
}

std::string line(const Row& row) {
  const std::string remark = remark_of(row);
  return results::printed("    %-12s  %-7s  %6s  %10s  %10s  %-9s  %6s  %6s  %7s\n",
                          std::string(word(row.answer)).c_str(),
                          std::string(word(row.subject)).c_str(), size_of(row).c_str(),
                          figure(row.ours).c_str(), figure(row.theirs).c_str(),
                          std::string(row.unit).c_str(), fixed(row.ratio, "%.3f").c_str(),
                          percent(row.ours_line_rate_fraction).c_str(),
                          percent(row.theirs_line_rate_fraction).c_str()) +
         (remark.empty() ? "" : wrapped(std::string(18, ' '), remark));
}

/// "PASS  line rate: compared bandwidth", and what speaks against it, a line for each reason.
void write_reasons(std::ostream& out, const Judgement& judgement, const Part& part) {
  if (!decides(part)) return;
  const std::string head =
      "  " + outcome_words(outcome_of(judgement, part), judgement.software) + "  " + part.criterion;
  const std::vector<std::string> reasons = reasons_of(judgement, part);
  if (reasons.size() == 1) {
    out << wrapped(head + ": ", reasons.front());
    return;
  }
  out << head << "\n";
  for (const std::string& reason : reasons) out << wrapped("    - ", reason);
}

/// Of thousands of pairs that pass some are enough.
void write_rows(std::ostream& out, const Part& part) {
  constexpr int kMostPassed = 100;
  int passed = 0;
  std::string curve;
  out << kHead;
  for (const Row& row : part.rows) {
    if (row.answer == Answer::passed && ++passed > kMostPassed) continue;
    if (curve_of(row) != curve) {
      curve = curve_of(row);
      out << wrapped("  ", curve);
    }
    out << line(row);
  }
  if (passed > kMostPassed) out << "    and " << passed - kMostPassed << " more passed\n";
}

void write_details(std::ostream& out, const Part& part) {
  const bool says_more = std::ranges::any_of(
      part.rows, [](const Row& row) { return row.ours || row.theirs || !row.remark.empty(); });
  if (!says_more) return;
  const auto number_of = [&](Answer answer) {
    return std::ranges::count(part.rows, answer, &Row::answer);
  };
  out << "\n"
      << part.criterion << " (" << number_of(Answer::passed) << " pass, "
      << number_of(Answer::failed) << " fail, " << number_of(Answer::open) << " not compared)\n";
  write_rows(out, part);
}

}  // namespace

template <json::Is<Row> Self, class Visit>
void fields(Self& self, Visit& visit) {
  visit("about", std::string(word(self.subject)));
  visit("where", self.where);
  visit.empty_is_null();
  RAILGAUGE_VISIT(setting, collective, type, op, algorithm);
  const bool placed = self.buffers != BufferMode::unstated;
  visit("placement", placed ? std::string(word(self.buffers)) : "");
  RAILGAUGE_VISIT(ranks, nics_per_node, size_bytes);
  visit("unit", std::string(self.unit));
  RAILGAUGE_VISIT(ours, theirs, ratio, ours_line_rate_fraction, theirs_line_rate_fraction);
  visit("answer", std::string(word(self.answer)));
  visit("remark", remark_of(self));
}

namespace {

Json json_of(const Judgement& judgement, const Part& part) {
  const finding::Outcome found = outcome_of(judgement, part);
  return {{"criterion", part.criterion},
          {"outcome", decides(part) ? Json(word(found)) : Json(nullptr)},
          {"rows", json::encode(part.rows)},
          {"findings", json::encode(part.report.findings)},
          {"coverage", json::encode(part.report.coverage)}};
}

Json json_of(const Judgement& judgement) {
  Json criteria = Json::array();
  for (const Part& part : judgement.parts) criteria.push_back(json_of(judgement, part));
  return {{"result", judgement.result},
          {"outcome", word(outcome_of(judgement))},
          {"software", judgement.software},
          {"headline", headline(judgement)},
          {"criteria", criteria}};
}

}  // namespace

bool decides(const Part& part) {
  return !part.report.coverage.empty() || !part.report.findings.empty();
}

finding::Report report_of(const Judgement& judgement) {
  finding::Report all;
  for (const Part& part : judgement.parts) {
    const finding::Report& one = part.report;
    all.findings.insert(all.findings.end(), one.findings.begin(), one.findings.end());
    all.coverage.insert(all.coverage.end(), one.coverage.begin(), one.coverage.end());
  }
  return all;
}

finding::Outcome outcome_of(const Judgement& judgement) {
  return outcome(report_of(judgement), judgement.policy);
}

finding::Outcome outcome_of(const Judgement& judgement, const Part& part) {
  return outcome(part.report, judgement.policy);
}

finding::Outcome outcome_of(const std::vector<Judgement>& judgements) {
  using finding::Outcome;
  const auto any = [&](Outcome wanted) {
    return std::ranges::any_of(
        judgements, [&](const Judgement& judgement) { return outcome_of(judgement) == wanted; });
  };
  if (any(Outcome::fail)) return Outcome::fail;
  return any(Outcome::inconclusive) ? Outcome::inconclusive : Outcome::pass;
}

bool passes_but_for_gaps(const Judgement& judgement) {
  const auto own = std::ranges::find(judgement.parts, kOwn, &Part::criterion);
  const bool passes =
      own == judgement.parts.end() || outcome_of(judgement, *own) == finding::Outcome::pass;
  return passes && outcome_of(judgement) != finding::Outcome::fail;
}

std::string outcome_words(finding::Outcome outcome, bool software) {
  return std::string(word(outcome)) + (software ? " (SOFTWARE)" : "");
}

namespace {

/// Of the run itself: what it left out, though it tested enough.
std::vector<std::string> left_out(const Judgement& judgement, const Part& part) {
  std::vector<std::string> all;
  if (part.criterion != kOwn) return all;
  for (const finding::Coverage& one : part.report.coverage) {
    const bool enough = reasons(finding::Report{.coverage = {one}}, judgement.policy).empty();
    if (one.check == kOwn && enough) all.insert(all.end(), one.skipped.begin(), one.skipped.end());
  }
  return all;
}

/// What a part says besides its outcome, its findings and its gaps.
std::string told_of(const Judgement& judgement, const Part& part) {
  std::vector<std::string> parts = left_out(judgement, part);
  if (std::string what = told_of(part.rows); !what.empty()) parts.push_back(std::move(what));
  return finding::joined(parts, "; ");
}

}  // namespace

std::string headline(const Judgement& judgement) {
  std::vector<std::string> words;
  const finding::Report report = report_of(judgement);
  if (const std::string why = in_short(report, judgement.policy); !why.empty())
    words.push_back(why);
  for (const Part& part : judgement.parts) {
    const std::string what = told_of(judgement, part);
    if (!what.empty()) words.push_back(part.criterion + ": " + what);
  }
  if (words.empty()) words.emplace_back("no error found");
  return finding::joined(words, "; ");
}

std::vector<std::string> reasons_of(const Judgement& judgement, const Part& part) {
  constexpr std::size_t kMost = 20;  // the document has all
  std::vector<std::string> all;
  if (const std::string what = told_of(judgement, part); !what.empty()) all.push_back(what);
  const auto groups = grouped(finding::ranked(part.report.findings));
  for (std::size_t at = 0; at < std::min(kMost, groups.size()); ++at) {
    const finding::FindingGroup& group = groups[at];
    all.push_back(std::string(word(group.first.severity)) + ": " + sentence(group));
  }
  if (groups.size() > kMost)
    all.push_back("and " + std::to_string(groups.size() - kMost) + " more findings");
  const finding::Report gaps{.coverage = part.report.coverage};
  if (!gaps.coverage.empty())
    std::ranges::move(reasons(gaps, judgement.policy), std::back_inserter(all));
  if (all.empty()) all.emplace_back("no error found");
  return all;
}

void write_table(std::ostream& out, const std::vector<Judgement>& judgements) {
  for (const Judgement& judgement : judgements) {
    const std::string words = headline(judgement);
    const std::string head =
        outcome_words(outcome_of(judgement), judgement.software) + "  " + judgement.result + ":";
    if (head.size() + 1 + words.size() <= manual::kColumns) {
      out << head << " " << words << "\n";
    } else {
      out << head << "\n" << wrapped("  ", words);
    }
    for (const Part& part : judgement.parts) write_reasons(out, judgement, part);
  }
  for (const Judgement& judgement : judgements) {
    if (judgements.size() > 1) out << "\n" << judgement.result << "\n";
    for (const Part& part : judgement.parts) write_details(out, part);
  }
}

std::string json_text(const std::vector<Judgement>& judgements) {
  Json results = Json::array();
  for (const Judgement& judgement : judgements) results.push_back(json_of(judgement));
  const Json document{{"schema", "railgauge/comparison/1"},
                      {"outcome", word(outcome_of(judgements))},
                      {"software", std::ranges::any_of(judgements, &Judgement::software)},
                      {"results", results}};
  constexpr int kIndent = 2;
  return document.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace railgauge::verdict
