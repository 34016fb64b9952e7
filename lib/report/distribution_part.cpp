#include "measure/sizes.hpp"
#include "report/chart.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"
#include "report/row_group.hpp"

namespace railgauge::report {
namespace {

using Points = std::vector<std::pair<double, double>>;

/// As many as a line on a screen needs.
Points thinned(const Points& points) {
  constexpr std::size_t kMostPoints = 60;
  Points some;
  some.reserve(kMostPoints);
  for (const std::size_t place : spread(points.size(), kMostPoints)) some.push_back(points[place]);
  return some;
}

/// How many per cent of the iterations took at most so long, by the upper ends of the bins.
Points cumulative(const results::Measurement& measurement) {
  Points points;
  double all = 0;
  for (const auto& bin : measurement.histogram) {
    all += static_cast<double>(bin.count);
    points.emplace_back(bin.upper_us, all);
  }
  constexpr double kPercent = 100;
  for (auto& [time, share] : points) share *= kPercent / all;
  return thinned(points);
}

Row percentiles(const SizedMeasurement& sized) {
  const measure::Summary& time = sized.measurement->time;
  const bool bimodal = sized.measurement->bimodal;
  return {measure::format_size(sized.size_bytes),
          time.n,
          time.min_us,
          time.p50_us,
          time.p90_us,
          time.p99_us,
          time.p999_us,
          time.max_us,
          {bimodal ? "bimodal" : "", bimodal ? "warn" : ""}};
}

/// Of many sizes some, evenly apart: the table has all.
Chart chart_of(const RowGroup& group) {
  constexpr std::size_t kMostLines = 8;
  Chart chart{.title = group.title + ": share of iterations that took at most so long",
              .x = Unit::microseconds,
              .y = Unit::percent,
              .scale = Scale::whole,
              .ordered = true};
  std::vector<const SizedMeasurement*> known;
  for (const SizedMeasurement& sized : group.sizes) {
    if (!sized.measurement->histogram.empty()) known.push_back(&sized);
  }
  for (const std::size_t place : spread(known.size(), kMostLines)) {
    chart.series.push_back({measure::format_size(known[place]->size_bytes), true,
                            cumulative(*known[place]->measurement), ""});
  }
  return chart;
}

std::string figure_of(const RowGroup& group, bool /*first*/) {
  return figure(chart_of(group), table({"size", "iterations", "fastest, µs", "median, µs",
                                        "p90, µs", "p99, µs", "p99.9, µs", "slowest, µs", "remark"},
                                       rows_of(group.sizes, percentiles)));
}

}  // namespace

std::string distribution_part(const results::CollectiveBody& body) {
  constexpr std::size_t kMost = 12;
  return section("Distribution of times", folded_groups(body, kMost, figure_of));
}

}  // namespace railgauge::report
