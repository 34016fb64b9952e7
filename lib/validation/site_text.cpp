#include "finding/words.hpp"
#include "manual/layout.hpp"
#include "validation/site_report.hpp"

namespace railgauge::validation {
namespace {

using manual::section_text;

std::string text_of_stages(const SiteReport& report) {
  std::vector<manual::TextRow> rows{{"stage", "verdict", "measured"}};
  for (const StageReport& one : report.stages) {
    const Assessment& assessment = one.assessment;
    rows.push_back({one.stage.name, verdict_of(one),
                    assessment.measured.empty() ? assessment.why : assessment.measured});
  }
  return "\n" + manual::table_text(rows);
}

/// Numbered, each with its symptoms.
std::vector<std::string> text_of_causes(const SiteReport& report, bool located) {
  std::vector<std::string> lines;
  std::size_t number = 0;
  for (const CauseGroup& group : report.causes) {
    if (group.located != located || ++number > kMostCausesShown) continue;
    lines.push_back(std::to_string(number) + ". " + sentence_of(group));
    for (const std::string& symptom : symptoms_of(group)) lines.push_back("- " + symptom);
  }
  if (const std::string more = more_causes(number); !more.empty()) lines.push_back(more);
  return lines;
}

std::string steps_without_stage(const SiteReport& report) {
  std::vector<std::string> steps;
  for (const Kind kind : report.not_planned) steps.emplace_back(facts_of(kind).title);
  return steps.empty() ? "" : "\nnot in this plan: " + finding::joined(steps) + "\n";
}

}  // namespace

std::string text(const SiteReport& report) {
  return verdict_of(report) + ": plan " + report.plan + ": " + headline_of(report) + "\n" +
         section_text("what to fix first", text_of_causes(report, true)) +
         section_text("not explained: no stage names a component", text_of_causes(report, false)) +
         section_text("what keeps it from PASS otherwise", gaps_of(report)) +
         section_text("waivers", waivers_of(report)) + text_of_stages(report) +
         steps_without_stage(report);
}

}  // namespace railgauge::validation
