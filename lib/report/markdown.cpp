#include <algorithm>

#include "measure/sizes.hpp"
#include "report/facts.hpp"
#include "report/html.hpp"
#include "report/report.hpp"
#include "verdict/curve.hpp"
#include "verdict/reading.hpp"

namespace railgauge::report {
namespace {

using verdict::Curve;
using verdict::Finding;
using verdict::Verdict;

/// Text in a cell: no HTML, no bars, no marks of Markdown, no links, one line.
std::string cell(std::string_view text) {
  std::string safe;
  for (const char character : escaped(text)) {
    if (std::string_view("\\`*_[]|~@#").find(character) != std::string_view::npos &&
        !(character == '#' && safe.ends_with('&'))) {
      safe += '\\';
    }
    safe += character == '\n' ? ' ' : character;
  }
  return safe;
}

std::string line(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& one : cells) text += " " + cell(one) + " |";
  return text + "\n";
}

std::string headed(const std::vector<std::string>& head) {
  std::string rule = "|";
  for (std::size_t column = 0; column < head.size(); ++column) rule += "---|";
  return line(head) + rule + "\n";
}

std::string curve_line(const verdict::Run& run, const Curve& curve) {
  const auto plateau = plateau_of(curve);
  const verdict::Point* const latency = latency_of(curve);
  return line(
      {joined({run.collective, curve.type, algorithms_of(curve), run.name, plain(curve.buffers)}),
       latency != nullptr ? number_text(*latency->time_us) : "-",
       plateau ? number_text(plateau->busbw_gigabytes_per_second) : "-",
       plateau ? measure::format_size(plateau->from_bytes) : "-"});
}

/// Nothing for a result without them.
std::string curves(const Result& result) {
  if (result.run_set.runs.empty()) return "";
  std::string text = headed({"curve", "latency, µs", "plateau, GB/s", "from"});
  for (const verdict::Run& run : result.run_set.runs) {
    for (const Curve& curve : curves_of(run)) text += curve_line(run, curve);
  }
  return text;
}

std::string reachability(const Result& result) {
  if (!result.run_set.reachability) return "";
  std::string text = headed({"pairs", "tested", "reached", "median, GB/s"});
  for (const auto& summary : result.run_set.reachability->summary) {
    text +=
        line({summary.same_rail ? "same rail" : "different rails", std::to_string(summary.tested),
              std::to_string(summary.reached), number_text(summary.median_gigabytes_per_second)});
  }
  return text;
}

std::string pairs(const Result& result) {
  if (!result.run_set.pairs) return "";
  std::string text = headed({"pairs", "measured", "work", "failed", "median", "slowest"});
  for (const auto& kind : result.run_set.pairs->summary) {
    const bool of_bandwidth = kind.median_gigabytes_per_second.has_value();
    const auto figure = [&](const auto& bandwidth, const auto& latency) {
      if (of_bandwidth) return number_text(bandwidth.value_or(0)) + " GB/s";
      return latency ? number_text(*latency) + " µs" : std::string();
    };
    text +=
        line({kind.mode + (kind.same_rail ? ", same rail" : ", different rails"),
              std::to_string(kind.measured), std::to_string(kind.finished),
              std::to_string(kind.failed), figure(kind.median_gigabytes_per_second, kind.median_us),
              figure(kind.slowest_gigabytes_per_second, kind.slowest_us)});
  }
  return text;
}

std::string finding_line(const Finding& finding) {
  return line({finding.criterion, std::string(word(finding.subject)),
               joined({finding.type, finding.algorithm, finding.setting, plain(finding.buffers)}),
               finding.size_bytes ? measure::format_size(*finding.size_bytes) : "",
               finding.ours ? number_text(*finding.ours) + " " + std::string(finding.unit) : "",
               finding.theirs ? number_text(*finding.theirs) + " " + std::string(finding.unit) : "",
               finding.remark});
}

/// What ran, when, where: a list.
std::string list_of_facts(const Result& result) {
  std::string text;
  for (const Fact& fact : facts_of(result)) {
    text += "- " + fact.name + ": " + cell(fact.text) + "\n";
  }
  return text + "\n";
}

/// Each criterion with how many of its questions came out how.
std::string criteria(const Result& result) {
  const auto& findings = result.judgement.findings;
  std::string text =
      headed({"verdict", "criterion", "what it comes to", "pass", "fail", "no answer"});
  for (const std::string& criterion : criteria_of(findings)) {
    const auto number = [&](Verdict verdict) {
      return std::to_string(std::ranges::count_if(findings, [&](const Finding& finding) {
        return finding.criterion == criterion && finding.verdict == verdict;
      }));
    };
    text +=
        line({in_words(verdict_of(findings, criterion), result.judgement.software), criterion,
              reading_in_words(findings, criterion), number(Verdict::pass), number(Verdict::fail),
              std::to_string(std::ranges::count_if(findings, [&](const Finding& finding) {
                return finding.criterion == criterion && is_open(finding.verdict);
              }))});
  }
  return text;
}

/// At most so many, for a comment has an end; how many more there are is said.
std::string failures(const Result& result) {
  constexpr int kMost = 20;
  std::string text;
  int count = 0;
  for (const Finding& finding : result.judgement.findings) {
    if (finding.verdict != Verdict::fail) continue;
    if (count++ < kMost) text += finding_line(finding);
  }
  if (text.empty()) return "";
  const std::vector<std::string> head{"criterion", "about",  "where", "size",
                                      "ours",      "theirs", "remark"};
  const std::string more =
      count > kMost ? "\nAnd " + std::to_string(count - kMost) + " more.\n" : "";
  return "\n" + headed(head) + text + more;
}

}  // namespace

std::string markdown(const Report& report) {
  const bool none = !report.asked && report.verdict != Verdict::fail;
  std::string text =
      "## railgauge: " +
      (none ? "no verdict asked" : in_words(report.verdict, is_of_software(report))) + "\n";
  for (const Result& result : report.results) {
    text += "\n### " + cell(result.run_set.name) + "\n\n" +
            cell(sentence_of(result, report.asked)) + "\n\n" + list_of_facts(result);
    for (const std::string& failure : result.run_set.failures) {
      text += "**Incomplete or wrong run:** " + cell(failure) + "\n\n";
    }
    text += criteria(result) + "\n" + curves(result) + reachability(result) + pairs(result) +
            failures(result);
  }
  return text;
}

}  // namespace railgauge::report
