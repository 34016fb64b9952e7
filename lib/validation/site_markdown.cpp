#include "report/markdown_table.hpp"
#include "validation/site_report.hpp"

namespace railgauge::validation {
namespace {

using report::markdown_cell;
using report::markdown_head;
using report::markdown_row;

std::string markdown_stages(const SiteReport& report) {
  std::string text = markdown_head({"stage", "required", "measured", "verdict", "where"});
  for (const StageReport& one : report.stages) {
    const Assessment& assessment = one.assessment;
    const std::string measured = assessment.measured.empty() ? assessment.why : assessment.measured;
    text += markdown_row(
        {one.stage.name, requirement_of(one.stage), measured, verdict_of(one), one.document});
  }
  for (const Kind kind : report.not_planned)
    text += markdown_row({std::string(facts_of(kind).title), std::string(facts_of(kind).required),
                          "", "not in this plan", ""});
  return text;
}

std::string markdown_causes(const SiteReport& report, bool located) {
  std::string text;
  std::size_t number = 0;
  for (const CauseGroup& group : report.causes) {
    if (group.located != located || ++number > kMostCausesShown) continue;
    text += std::to_string(number) + ". " + markdown_cell(sentence_of(group)) + "\n";
    for (const std::string& symptom : symptoms_of(group))
      text += "   - " + markdown_cell(symptom) + "\n";
  }
  if (const std::string more = more_causes(number); !more.empty()) text += "\n" + more + "\n";
  return text;
}

std::string markdown_section(const std::string& title, const std::string& text) {
  return text.empty() ? "" : "\n## " + title + "\n\n" + text;
}

std::string markdown_list(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& one : sentences) text += "- " + markdown_cell(one) + "\n";
  return text;
}

}  // namespace

std::string markdown(const SiteReport& report) {
  return "# " + verdict_of(report) + ": railgauge validate, plan " + markdown_cell(report.plan) +
         "\n\n" + markdown_cell(headline_of(report)) + "\n" +
         markdown_section("What to fix first", markdown_causes(report, true)) +
         markdown_section("Not explained: no stage names a component",
                          markdown_causes(report, false)) +
         markdown_section("What keeps it from PASS otherwise", markdown_list(gaps_of(report))) +
         markdown_section("Waivers", markdown_list(waivers_of(report))) +
         markdown_section("Stages", markdown_stages(report));
}

}  // namespace railgauge::validation
