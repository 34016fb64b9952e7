#include "measure/sizes.hpp"
#include "report/chart.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"
#include "report/row_group.hpp"

namespace railgauge::report {
namespace {

/// How many per cent of the iterations took at most so long, by the upper ends of the bins.
std::vector<std::pair<double, double>> cumulative(const results::Measurement& measurement) {
  std::vector<std::pair<double, double>> points;
  double all = 0;
  for (const auto& bin : measurement.histogram) {
    all += static_cast<double>(bin.count);
    points.emplace_back(bin.upper_us, all);
  }
  constexpr double kPercent = 100;
  for (auto& [time, share] : points) share *= kPercent / all;
  return points;
}

std::vector<Cell> percentiles(const SizedMeasurement& sized) {
  const measure::Summary& time = sized.measurement->time;
  std::vector<Cell> row{{measure::format_size(sized.size_bytes), ""}, {std::to_string(time.n), ""}};
  for (const double value :
       {time.min_us, time.p50_us, time.p90_us, time.p99_us, time.p999_us, time.max_us}) {
    row.push_back({number_text(value), ""});
  }
  const bool bimodal = sized.measurement->bimodal;
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
  for (const SizedMeasurement& sized : group.sizes) {
    rows.push_back(percentiles(sized));
    const auto points = cumulative(*sized.measurement);
    if (points.empty()) continue;
    chart.series.push_back({measure::format_size(sized.size_bytes), true, points});
  }
  return figure(chart, table({"size", "iterations", "fastest, µs", "median, µs", "p90, µs",
                              "p99, µs", "p99.9, µs", "slowest, µs", "remark"},
                             rows));
}

}  // namespace

std::string distribution_part(const results::CollectiveBody& body) {
  std::string html;
  for (const RowGroup& group : row_groups_of(body)) {
    const std::string inner = figure_of(group);
    if (!inner.empty()) html += folded(group.title, inner, html.empty());
  }
  return section("Distribution of times", html);
}

}  // namespace railgauge::report
