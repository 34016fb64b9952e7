#include <algorithm>

#include "finding/ranking.hpp"
#include "finding/words.hpp"
#include "measure/sizes.hpp"
#include "report/facts.hpp"
#include "report/html.hpp"
#include "report/markdown_table.hpp"
#include "report/report.hpp"
#include "verdict/curve.hpp"

namespace railgauge::report {
namespace {

using verdict::Curve;

std::string curve_line(const verdict::Run& run, const Curve& curve) {
  const auto plateau = plateau_of(curve);
  const verdict::Point* const latency = latency_of(curve);
  return markdown_row(
      {joined({run.collective, curve.type, algorithms_of(curve), run.name, plain(curve.buffers)}),
       latency != nullptr ? number_text(*latency->time_us) : "-",
       plateau ? number_text(plateau->busbw_gigabytes_per_second) : "-",
       plateau ? measure::format_size(plateau->from_bytes) : "-"});
}

/// Nothing for a result without them.
std::string curves(const Result& result) {
  if (result.run_set.runs.empty()) return "";
  std::string text = markdown_head({"curve", "latency, µs", "plateau, GB/s", "from"});
  for (const verdict::Run& run : result.run_set.runs) {
    for (const Curve& curve : curves_of(run)) text += curve_line(run, curve);
  }
  return text;
}

template <class Body>
const Body* body_of(const Result& result) {
  const auto* const document = std::get_if<results::Document>(&result.input);
  return document == nullptr ? nullptr : std::get_if<Body>(&document->body);
}

std::string pairs(const Result& result) {
  const auto* const body = body_of<results::PairsBody>(result);
  if (body == nullptr) return "";
  std::string text = markdown_head({"pairs", "measured", "work", "failed", "median", "slowest"});
  for (const auto& kind : body->summary) {
    const bool of_bandwidth = kind.median_gigabytes_per_second.has_value();
    const auto figure = [&](const auto& bandwidth, const auto& latency) {
      if (of_bandwidth) return number_text(bandwidth.value_or(0)) + " GB/s";
      return latency ? number_text(*latency) + " µs" : std::string();
    };
    text += markdown_row({kind.mode + (kind.same_rail ? ", same rail" : ", different rails"),
                          std::to_string(kind.measured), std::to_string(kind.finished),
                          std::to_string(kind.failed),
                          figure(kind.median_gigabytes_per_second, kind.median_us),
                          figure(kind.slowest_gigabytes_per_second, kind.slowest_us)});
  }
  return text;
}

/// What ran, when, where: a list.
std::string list_of_facts(const Result& result) {
  std::string text;
  for (const Fact& fact : facts_of(result)) {
    text += "- " + fact.name + ": " + markdown_cell(fact.text) + "\n";
  }
  return text + "\n";
}

/// Each criterion with how many of its rows came out how.
std::string criteria(const Result& result) {
  const verdict::Judgement& judgement = result.judgement;
  std::string text;
  for (const verdict::Part& part : judgement.parts) {
    if (!tells_more(judgement, part)) continue;
    if (text.empty())
      text = markdown_head({"outcome", "criterion", "compared", "pass", "fail", "not compared"});
    const auto number = [&](verdict::Answer answer) {
      return std::to_string(std::ranges::count(part.rows, answer, &verdict::Row::answer));
    };
    text += markdown_row({verdict::outcome_words(outcome_of(judgement, part), judgement.software),
                          part.criterion, compared_text(part.rows), number(verdict::Answer::passed),
                          number(verdict::Answer::failed), number(verdict::Answer::open)});
  }
  return text.empty() ? text : text + "\n";
}

/// At most some, for a comment has an end.
std::string findings(const Result& result) {
  constexpr std::size_t kMost = 20;
  const auto groups = grouped(finding::ranked(report_of(result.judgement).findings));
  if (groups.empty()) return "";
  std::string text = "\n" + markdown_head({"severity", "certainty", "finding"});
  for (std::size_t at = 0; at < std::min(kMost, groups.size()); ++at) {
    const finding::Finding& first = groups[at].first;
    text += markdown_row({std::string(word(first.severity)), std::string(word(first.certainty)),
                          sentence(groups[at])});
  }
  return groups.size() <= kMost
             ? text
             : text + "\nAnd " + std::to_string(groups.size() - kMost) + " more.\n";
}

}  // namespace

std::string markdown(const Report& report) {
  std::string text = "## railgauge: " + outcome_words(report) + "\n";
  for (const Result& result : report.results) {
    text += "\n### " + markdown_cell(result.run_set.name) + "\n\n" +
            markdown_cell(report.results.size() == 1 ? reason_of(result) : sentence_of(result)) +
            "\n\n" + list_of_facts(result) + criteria(result) + curves(result) + pairs(result) +
            findings(result);
  }
  return text;
}

}  // namespace railgauge::report
