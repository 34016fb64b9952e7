#include <chrono>
#include <map>
#include <utility>

#include "finding/words.hpp"
#include "measure/sizes.hpp"
#include "report/html.hpp"
#include "report/report.hpp"
#include "results/utc.hpp"

namespace railgauge::report {
namespace {

using verdict::Answer;

std::string attribute(const char* name, const std::string& value) {
  return " " + std::string(name) + "=\"" + escaped(value) + "\"";
}

/// "all_reduce/float/sum/ring/in_place/rail 0/4M/size": the parts that there are.
std::string name_of(const verdict::Row& row) {
  std::vector<std::string> parts = place_words(row);
  if (row.size_bytes) parts.push_back(measure::format_size(*row.size_bytes));
  parts.emplace_back(word(row.subject));
  return finding::joined(parts, "/");
}

std::string says(const verdict::Row& row) {
  const auto figure = [&](const char* whose, const std::optional<double>& value) {
    if (!value) return std::string();
    return std::string(whose) + " " + number_text(*value) + " " + std::string(row.unit) + "; ";
  };
  return figure("ours", row.ours) + figure("theirs", row.theirs) + figure("ratio", row.ratio) +
         remark_of(row);
}

std::string with_message(const char* name, const std::string& message) {
  return "<" + std::string(name) + attribute("message", message) + "/>";
}

/// The cases of a suite. A name that comes again gets a number; time is that of the run, once.
class Cases {
 public:
  explicit Cases(std::string seconds) : seconds_(std::move(seconds)) {}

  void add(const std::string& criterion, const std::string& name, const std::string& inner) {
    const int count = ++counts_[criterion + "\n" + name];
    text += "<testcase" + attribute("classname", criterion) +
            attribute("name", count == 1 ? name : name + " #" + std::to_string(count)) +
            attribute("time", std::exchange(seconds_, "0")) + ">" + inner + "</testcase>\n";
  }

  std::string text{};

 private:
  std::string seconds_;
  std::map<std::string, int> counts_{};
};

/// How long a run took, in seconds; "0" of what does not say.
std::string seconds_of(const verdict::Input& input) {
  const auto* const document = std::get_if<results::Document>(&input);
  if (document == nullptr || !document->end) return "0";
  return number_text(std::chrono::duration<double>(*document->end - document->start).count());
}

/// A row that a policy waives is skipped, with the reason.
std::string inner_of(const verdict::Row& row, const finding::Policy& policy) {
  const std::string text = says(row);
  if (row.answer == Answer::open) return with_message("skipped", text);
  if (row.answer != Answer::failed) return text.empty() ? "" : element("system-out", escaped(text));
  const std::string waiver = waiver_of(finding_of(row), policy);
  return waiver.empty() ? with_message("failure", text)
                        : with_message("skipped", "waived: " + waiver + "; " + text);
}

/// The outcome of a criterion, with all its findings.
std::string inner_of(const verdict::Judgement& judgement, const verdict::Part& part) {
  const std::string text = finding::joined(reasons_of(judgement, part), "; ");
  switch (outcome_of(judgement, part)) {
    case finding::Outcome::fail: return with_message("failure", text);
    case finding::Outcome::inconclusive: return with_message("error", text);
    case finding::Outcome::pass: break;
  }
  return element("system-out", escaped(text));
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
  if (const auto* body = std::get_if<results::SoakBody>(&document.body)) {
    add("run", body->run);
    add("drain-reason", finding::drain_reason(document.report));
  }
  add("status", status_of(document));
  add("start", results::utc(document.start));
  if (document.end) add("end", results::utc(*document.end));
  return element("properties", text) + "\n";
}

std::string properties(const verdict::Reference& /*reference*/) {
  return "";
}

std::string properties(const doctor::Document& /*examination*/) {
  return "";
}

/// So that no case passes without it.
std::string mark_of(const Result& result) {
  return result.judgement.software ? " (SOFTWARE)" : "";
}

std::string cases_of(const Result& result) {
  const verdict::Judgement& judgement = result.judgement;
  Cases cases(seconds_of(result.input));
  for (const verdict::Part& part : judgement.parts) {
    if (!decides(part)) continue;
    cases.add(part.criterion, "outcome" + mark_of(result), inner_of(judgement, part));
    for (const verdict::Row& row : part.rows) {
      if (row.answer == Answer::note) continue;
      cases.add(part.criterion, name_of(row) + mark_of(result), inner_of(row, judgement.policy));
    }
  }
  return cases.text;
}

std::string suite(const Result& result) {
  const std::string cases = cases_of(result);
  const auto number = [&](std::string_view tag) {
    std::size_t count = 0;
    for (auto at = cases.find(tag); at != std::string::npos; at = cases.find(tag, at + 1)) ++count;
    return std::to_string(count);
  };
  return "<testsuite" + attribute("name", result.run_set.name + mark_of(result)) +
         attribute("tests", number("<testcase ")) + attribute("failures", number("<failure ")) +
         attribute("skipped", number("<skipped ")) + attribute("errors", number("<error ")) +
         attribute("time", seconds_of(result.input)) + ">\n" +
         std::visit([](const auto& held) { return properties(held); }, result.input) + cases +
         "</testsuite>\n";
}

}  // namespace

std::string junit(const Report& report) {
  std::string suites;
  for (const Result& result : report.results) suites += suite(result);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + element("testsuites", "\n" + suites) +
         "\n";
}

}  // namespace railgauge::report
