#include "experiments/congestion/congestion_display.hpp"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <string>

#include "finding/ranking.hpp"
#include "finding/words.hpp"
#include "results/congestion.hpp"

namespace railgauge::runner {
namespace {

using results::CongestionBody;
using results::CongestionEvents;
using results::CongestionRow;

constexpr int kStep = 36;
constexpr int kColumn = 11;

std::string text_of(const CongestionEvents& events) {
  return events.counted ? std::to_string(events.count) : "unknown";
}

double bandwidth_of(const CongestionRow& row) {
  return std::accumulate(row.flows.begin(), row.flows.end(), 0.0,
                         [](double sum, const results::CongestionFlow& flow) {
                           return sum + flow.gigabytes_per_second;
                         });
}

/// The longest of all flows' 99th percentiles.
std::string tail_of(const CongestionRow& row) {
  double p99_us = 0;
  for (const auto& flow : row.flows) p99_us = std::max(p99_us, flow.time ? flow.time->p99_us : 0);
  return finding::number(p99_us);
}

/// The verdict of a step that overloads a receiver; of others the first of their figures.
std::string result_of(const CongestionRow& row) {
  if (row.verdict == "UNKNOWN") return row.verdict;
  if (row.figures.empty()) return row.load > 1 ? row.verdict : "-";
  const results::CongestionFigure& first = row.figures.front();
  std::string text = first.metric + ": " + finding::number(first.value, first.unit);
  if (first.expected) text += " (expected: " + finding::number(*first.expected, first.unit) + ")";
  return text;
}

template <class... Cells>
void print_line(const std::string& step, const Cells&... cells) {
  std::cout << std::left << std::setw(kStep) << step << std::right;
  ((std::cout << std::setw(kColumn) << cells), ...);
}

}  // namespace

void CongestionDisplay::begin(const results::Document& document) {
  std::cout << "# " << finding::counted(document.ranks.size(), "host") << ", "
            << finding::counted(expected_.steps, "step") << ", about "
            << finding::number(expected_.seconds, "s")
            << "; marks, pauses and drops are counted by " << expected_.counted_by << "\n";
  if (expected_.software) std::cout << "# SOFTWARE DEVICE: results do not represent hardware\n";
  print_line("# step", "GB/s", "p99, us", "marks", "pauses", "drops", "Jain", "  result");
  std::cout << std::endl;
}

void CongestionDisplay::row(const results::Document& document) {
  const CongestionRow& row = std::get<CongestionBody>(document.body).rows.back();
  print_line("  " + row.step, finding::number(bandwidth_of(row)), tail_of(row), text_of(row.marks),
             text_of(row.pauses), text_of(row.losses),
             row.jain_index ? finding::number(*row.jain_index) : "-");
  std::cout << "  " << result_of(row) << std::endl;
}

void CongestionDisplay::end(const results::Document& document) {
  const auto& body = std::get<CongestionBody>(document.body);
  if (body.verdict.empty()) return;
  std::cout << "# " << body.verdict << ": " << body.verdict_reason << "\n# "
            << word(outcome(document.report)) << "\n";
  for (const finding::FindingGroup& group : grouped(finding::ranked(document.report.findings)))
    std::cout << "# " << word(group.first.severity) << ": " << sentence(group) << "\n";
  std::cout << std::flush;
}

}  // namespace railgauge::runner
