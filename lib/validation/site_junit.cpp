#include <chrono>

#include "draw/escape.hpp"
#include "results/table.hpp"
#include "validation/site_report.hpp"

namespace railgauge::validation {
namespace {

using draw::escaped;

std::string attribute(const char* name, const std::string& value) {
  return " " + std::string(name) + "=\"" + escaped(value) + "\"";
}

std::string seconds_of(const StageReport& one) {
  if (!one.state.started || !one.state.ended) return "0";
  const std::chrono::duration<double> took = *one.state.ended - *one.state.started;
  return results::printed("%.0f", took.count());
}

/// The element inside of a case, as JUnit names what is not a pass.
const char* element_of(const StageReport& one) {
  if (one.assessment.standing == Standing::not_needed) return "skipped";
  switch (one.assessment.outcome) {
    case finding::Outcome::pass: return nullptr;
    case finding::Outcome::fail: return "failure";
    case finding::Outcome::inconclusive: return "error";
  }
  return "error";
}

std::string case_of(const StageReport& one) {
  const Assessment& assessment = one.assessment;
  const std::string mark = assessment.software ? " (SOFTWARE)" : "";
  const char* const element = element_of(one);
  const std::string inner =
      element == nullptr
          ? "<system-out>" + escaped(assessment.measured) + "</system-out>"
          : "<" + std::string(element) + attribute("message", assessment.headline) + "/>";
  return "<testcase" + attribute("classname", std::string(word(one.stage.kind))) +
         attribute("name", one.stage.name + mark) + attribute("time", seconds_of(one)) + ">" +
         inner + "</testcase>\n";
}

std::string count_of(const SiteReport& report, std::string_view element) {
  std::size_t count = 0;
  for (const StageReport& one : report.stages) {
    const char* const found = element_of(one);
    if (found != nullptr && found == element) ++count;
  }
  return std::to_string(count);
}

}  // namespace

std::string junit(const SiteReport& report) {
  std::string cases;
  for (const StageReport& one : report.stages) cases += case_of(one);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite" +
         attribute("name", "railgauge validate " + report.plan) +
         attribute("tests", std::to_string(report.stages.size())) +
         attribute("failures", count_of(report, "failure")) +
         attribute("errors", count_of(report, "error")) +
         attribute("skipped", count_of(report, "skipped")) + ">\n" + cases +
         "</testsuite>\n</testsuites>\n";
}

}  // namespace railgauge::validation
