#include <algorithm>

#include "report/chart.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"

namespace railgauge::report {
namespace {

/// The series of that label, which is new if it has to be. What was measured is of whichever
/// algorithm was chosen at a size.
Series& named(Chart& chart, const std::string& label, const std::string& algorithm) {
  const auto found = std::ranges::find(chart.series, label, &Series::label);
  if (found != chart.series.end()) return *found;
  chart.series.push_back({label, algorithm.empty(), {}, algorithm});
  return chart.series.back();
}

void add(Chart& chart, const results::CollectiveRow& row) {
  const auto measured = measurements_of(row);
  if (measured.empty() || row.predictions.empty()) return;
  const auto size = static_cast<double>(row.size_bytes);
  // A model knows no buffer mode.
  named(chart, "measured", "").points.emplace_back(size, measured[0].measurement.time.p50_us);
  for (const auto& [algorithm, time_us] : row.predictions) {
    named(chart, "predicted of " + algorithm, algorithm).points.emplace_back(size, time_us);
  }
}

}  // namespace

std::string predictions_part(const results::CollectiveBody& body) {
  Chart chart{"Time as measured, of the algorithm that was chosen, and as the model predicted it",
              Unit::bytes,
              Unit::microseconds,
              Scale::logarithmic,
              {},
              false};
  for (const results::CollectiveRow& row : body.rows) add(chart, row);
  return section("Predictions", figure(chart));
}

}  // namespace railgauge::report
