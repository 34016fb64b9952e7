#include <algorithm>

#include "measure/sizes.hpp"
#include "report/html.hpp"
#include "report/report.hpp"
#include "results/utc.hpp"

namespace railgauge::report {
namespace {

using verdict::Finding;
using verdict::Verdict;

std::string attribute(const char* name, const std::string& value) {
  return " " + std::string(name) + "=\"" + escaped(value) + "\"";
}

/// "all_reduce/float/sum/ring/rail 0/in_place/4M/size": the parts that there are.
std::string name_of(const Finding& finding) {
  std::string name;
  for (const std::string& part :
       {finding.collective, finding.type, finding.op, finding.algorithm, finding.setting,
        plain(finding.buffers), finding.size_bytes ? measure::format_size(*finding.size_bytes) : "",
        std::string(word(finding.subject))}) {
    if (!part.empty()) name += (name.empty() ? "" : "/") + part;
  }
  return name;
}

std::string says(const Finding& finding) {
  const auto figure = [&](const char* whose, const std::optional<double>& value) {
    if (!value) return std::string();
    return std::string(whose) + " " + number_text(*value) + " " + std::string(finding.unit) + "; ";
  };
  return figure("ours", finding.ours) + figure("theirs", finding.theirs) +
         figure("ratio", finding.ratio) + finding.remark;
}

std::string inner(const Finding& finding) {
  const std::string text = says(finding);
  switch (finding.verdict) {
    case Verdict::fail: return "<failure" + attribute("message", text) + "/>";
    case Verdict::inconclusive: return "<error" + attribute("message", text) + "/>";
    case Verdict::no_reference: return "<skipped" + attribute("message", text) + "/>";
    case Verdict::pass:
    case Verdict::note: break;
  }
  return text.empty() ? "" : element("system-out", escaped(text));
}

std::string properties(const results::Document& document) {
  std::string text;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) {
      text += "<property" + attribute("name", name) + attribute("value", value) + "/>\n";
    }
  };
  add("version", document.tool.version);
  add("commit", document.tool.commit);
  add("kind", kind_name(document.body));
  if (const auto* body = std::get_if<results::CollectiveBody>(&document.body)) {
    add("collective", body->collective);
  }
  if (const auto* body = std::get_if<results::IsolateBody>(&document.body))
    add("verdict", std::string(word(body->isolate_verdict)));
  if (const auto* body = std::get_if<results::SoakBody>(&document.body)) {
    add("run", body->run);
    add("verdict", std::string(word(body->judgement.verdict)));
    add("drain-reason", body->judgement.drain_reason);
  }
  add("status", status_of(document));
  add("start", results::utc(document.start));
  if (document.end) add("end", results::utc(*document.end));
  return element("properties", text) + "\n";
}

std::string properties(const verdict::Reference& /*reference*/) {
  return "";
}

/// So that no case passes without it.
std::string mark_of(const Result& result) {
  return result.judgement.software ? " (SOFTWARE)" : "";
}

std::string suite(const Result& result) {
  const auto& findings = result.judgement.findings;
  const auto number = [&](Verdict verdict) {
    return std::to_string(std::ranges::count(findings, verdict, &Finding::verdict));
  };
  std::string text = "<testsuite" + attribute("name", result.run_set.name + mark_of(result)) +
                     attribute("tests", std::to_string(findings.size())) +
                     attribute("failures", number(Verdict::fail)) +
                     attribute("skipped", number(Verdict::no_reference)) +
                     attribute("errors", number(Verdict::inconclusive)) + ">\n" +
                     std::visit([](const auto& held) { return properties(held); }, result.input);
  for (const Finding& finding : findings) {
    text += "<testcase" + attribute("classname", finding.criterion) +
            attribute("name", name_of(finding) + mark_of(result)) + ">" + inner(finding) +
            "</testcase>\n";
  }
  return text + "</testsuite>\n";
}

}  // namespace

std::string junit(const Report& report) {
  std::string suites;
  for (const Result& result : report.results) suites += suite(result);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + element("testsuites", "\n" + suites) +
         "\n";
}

}  // namespace railgauge::report
