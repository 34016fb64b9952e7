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

/// "ours 48.81 GB/s; theirs 45 GB/s; ratio 1.085; interpolated": the parts that there are.
std::string says(const verdict::Row& row) {
  std::vector<std::string> parts;
  const auto add = [&](const std::string& whose, const std::optional<double>& value,
                       std::string_view unit) {
    if (!value) return;
    const std::string text = whose + " " + number_text(*value);
    parts.push_back(unit.empty() ? text : text + " " + std::string(unit));
  };
  add("ours", row.ours, row.unit);
  add("theirs", row.theirs, row.unit);
  add("ratio", row.ratio, "");
  if (std::string remark = remark_of(row); !remark.empty()) parts.push_back(std::move(remark));
  return finding::joined(parts, "; ");
}

std::string with_message(const char* name, const std::string& message) {
  return "<" + std::string(name) + attribute("message", message) + "/>";
}

/// A name that comes again gets a number: "a.json #2".
class Names {
 public:
  std::string of(const std::string& name, const std::string& within = "") {
    const int count = ++counts_[within + "\n" + name];
    return count == 1 ? name : name + " #" + std::to_string(count);
  }

 private:
  std::map<std::string, int> counts_{};
};

/// The cases of a suite. The first has the run's time; that of a comparison is not known.
class Cases {
 public:
  explicit Cases(std::string time) : time_(std::move(time)) {}

  void add(const std::string& criterion, const std::string& name, const std::string& inner) {
    text += "<testcase" + attribute("classname", criterion) +
            attribute("name", names_.of(name, criterion)) + std::exchange(time_, "") + ">" + inner +
            "</testcase>\n";
  }

  std::string text{};

 private:
  std::string time_;
  Names names_{};
};

/// How long a run took, in seconds, as an attribute; empty of what does not say.
std::string time_of(const verdict::Input& input) {
  const auto* const document = std::get_if<results::Document>(&input);
  if (document == nullptr || !document->end) return "";
  const std::chrono::duration<double> seconds = *document->end - document->start;
  return attribute("time", number_text(seconds.count()));
}

/// A row that a policy waives is skipped, with the reason; so is one that it wants confirmed.
std::string inner_of(const verdict::Row& row, const finding::Policy& policy) {
  const std::string text = says(row);
  if (row.answer == Answer::open) return with_message("skipped", text);
  if (row.answer != Answer::failed) return text.empty() ? "" : element("system-out", escaped(text));
  const finding::Finding found = finding_of(row);
  const std::string waiver = waiver_of(found, policy);
  if (waiver.empty() && found.certainty < policy.sure_at) return with_message("skipped", text);
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
  Cases cases(time_of(result.input));
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

std::string suite(const Result& result, Names& names) {
  const std::string cases = cases_of(result);
  const auto number = [&](std::string_view tag) {
    std::size_t count = 0;
    for (auto at = cases.find(tag); at != std::string::npos; at = cases.find(tag, at + 1)) ++count;
    return std::to_string(count);
  };
  return "<testsuite" + attribute("name", names.of(result.run_set.name + mark_of(result))) +
         attribute("tests", number("<testcase ")) + attribute("failures", number("<failure ")) +
         attribute("skipped", number("<skipped ")) + attribute("errors", number("<error ")) +
         time_of(result.input) + ">\n" +
         std::visit([](const auto& held) { return properties(held); }, result.input) + cases +
         "</testsuite>\n";
}

}  // namespace

std::string junit(const Report& report) {
  std::string suites;
  Names names;
  for (const Result& result : report.results) suites += suite(result, names);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + element("testsuites", "\n" + suites) +
         "\n";
}

}  // namespace railgauge::report
