#include "report/html.hpp"
#include "report/parts.hpp"
#include "validation/site_report.hpp"

namespace railgauge::validation {
namespace {

using report::element;
using report::escaped;
using report::Row;

std::string html_link(const std::string& file, const std::string& text) {
  return "<a href=\"" + report::url_of(file) + "\">" + escaped(text) + "</a>";
}

std::string html_causes(const SiteReport& report, bool located) {
  std::string items;
  std::size_t number = 0;
  for (const CauseGroup& group : report.causes) {
    if (group.located != located || ++number > kMostCausesShown) continue;
    std::string symptoms;
    for (const std::string& symptom : symptoms_of(group))
      symptoms += element("li", escaped(symptom));
    items += element(
        "li", escaped(sentence_of(group)) + (symptoms.empty() ? "" : element("ul", symptoms)));
  }
  const std::string more = more_causes(number);
  return items.empty() ? ""
                       : element("ol", items) + (more.empty() ? "" : element("p", escaped(more)));
}

std::string html_list(const std::vector<std::string>& sentences) {
  std::string items;
  for (const std::string& one : sentences) items += element("li", escaped(one));
  return items.empty() ? "" : element("ul", items);
}

std::string style_of(const StageReport& one) {
  return one.assessment.standing == Standing::not_needed ? "none"
                                                         : report::style_of(one.assessment.outcome);
}

std::string html_stages(const SiteReport& report) {
  std::vector<Row> rows;
  for (const StageReport& one : report.stages) {
    const Assessment& assessment = one.assessment;
    rows.push_back({one.stage.name,
                    requirement_of(one.stage),
                    assessment.measured.empty() ? assessment.why : assessment.measured,
                    {verdict_of(one), style_of(one)}});
  }
  for (const Kind kind : report.not_planned)
    rows.push_back(
        {facts_of(kind).title, facts_of(kind).required, "", {"not in this plan", "none"}});
  return report::table({"stage", "required", "measured", "verdict"}, rows);
}

std::string html_links(const SiteReport& report) {
  std::string items;
  for (const StageReport& one : report.stages) {
    if (one.document.empty()) continue;
    const std::string details = one.page.empty() ? "" : " " + html_link(one.page, "details");
    items += element(
        "li", escaped(one.stage.name) + ": " + html_link(one.document, one.document) + details);
  }
  return items.empty() ? "" : element("ul", items);
}

}  // namespace

std::string page(const SiteReport& report) {
  const std::string banner = "<p class=\"banner " + report::style_of(report.outcome) + "\">" +
                             escaped(verdict_of(report)) + "</p>\n";
  const std::string head =
      banner + "<p class=\"sentence\">" + escaped(headline_of(report)) + "</p>\n";
  return report::page_without_charts(
      "railgauge validate: " + report.plan,
      head + report::section("What to fix first", html_causes(report, true)) +
          report::section("Not explained: no stage names a component", html_causes(report, false)) +
          report::section("What keeps it from PASS otherwise", html_list(gaps_of(report))) +
          report::section("Waivers", html_list(waivers_of(report))) +
          report::section("Stages of the plan " + escaped(report.plan), html_stages(report)) +
          report::section("Documents", html_links(report)));
}

}  // namespace railgauge::validation
