#include "measure/sizes.hpp"
#include "report/chart.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"
#include "report/row_group.hpp"
#include "results/fields.hpp"

namespace railgauge::report {
namespace {

using verdict::maybe;

/// How many per cent of the iterations took at most so long, by the upper ends of the bins.
std::vector<std::pair<double, double>> cumulative(const Json& placement) {
  std::vector<std::pair<double, double>> points;
  const auto histogram = maybe<Json>(placement, "histogram");
  if (!histogram) return points;
  double all = 0;
  for (const Json& bin : verdict::list(*histogram, "bins")) {
    all += bin.at(2).get<double>();
    points.emplace_back(bin.at(1).get<double>(), all);
  }
  constexpr double kPercent = 100;
  for (auto& [time, share] : points) share *= kPercent / all;
  return points;
}

std::vector<Cell> percentiles(const Measured& measured) {
  const Json time = verdict::wanted<Json>(*measured.placement, "time");
  std::vector<Cell> row{{measure::format_size(measured.size_bytes), ""},
                        {std::to_string(verdict::wanted<int>(time, "n")), ""}};
  for (const char* field : {"min_us", "p50_us", "p90_us", "p99_us", "p999_us", "max_us"}) {
    const auto value = maybe<double>(time, field);
    row.push_back({value ? number_text(*value) : "", ""});
  }
  const bool bimodal = maybe<bool>(*measured.placement, "bimodal").value_or(false);
  row.push_back({bimodal ? "bimodal" : "", bimodal ? "warn" : ""});
  return row;
}

std::string figure_of(const RowGroup& group) {
  Chart chart{group.title + ": share of iterations that took at most so long",
              Unit::microseconds,
              Unit::percent,
              false,
              {}};
  std::vector<std::vector<Cell>> rows;
  for (const Measured& measured : group.sizes) {
    rows.push_back(percentiles(measured));
    const auto points = cumulative(*measured.placement);
    if (points.empty()) continue;
    chart.series.push_back({measure::format_size(measured.size_bytes), true, points});
  }
  return figure(chart, table({"size", "iterations", "fastest, µs", "median, µs", "p90, µs",
                              "p99, µs", "p99.9, µs", "slowest, µs", "remark"},
                             rows));
}

}  // namespace

std::string distribution_part(const Result& result) {
  std::string html;
  for (const RowGroup& group : row_groups_of(result.document)) {
    const std::string inner = figure_of(group);
    if (!inner.empty()) html += folded(group.title, inner, html.empty());
  }
  return section("Distribution of times", html);
}

}  // namespace railgauge::report
