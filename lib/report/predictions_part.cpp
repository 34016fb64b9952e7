#include <algorithm>

#include "measure/sizes.hpp"
#include "report/chart.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"
#include "report/row_group.hpp"
#include "results/fields.hpp"

namespace railgauge::report {
namespace {

/// The series of that label, which is new if it has to be.
Series& named(Chart& chart, const std::string& label) {
  const auto found = std::ranges::find(chart.series, label, &Series::label);
  if (found != chart.series.end()) return *found;
  chart.series.push_back({label, label == "measured", {}});
  return chart.series.back();
}

void add(Chart& chart, const Measured& measured) {
  const Json& predictions = verdict::list(*measured.row, "predictions");
  if (predictions.empty()) return;
  const auto size = static_cast<double>(measured.size_bytes);
  const Json time = verdict::wanted<Json>(*measured.placement, "time");
  named(chart, "measured").points.emplace_back(size, verdict::wanted<double>(time, "p50_us"));
  for (const Json& prediction : predictions) {
    named(chart, "predicted of " + verdict::wanted<std::string>(prediction, "algorithm"))
        .points.emplace_back(size, verdict::wanted<double>(prediction, "time_us"));
  }
}

}  // namespace

std::string predictions_part(const Result& result) {
  Chart chart{"Time as measured, of the algorithm that was chosen, and as the model foretold it",
              Unit::bytes,
              Unit::microseconds,
              true,
              {}};
  for (const Json& row : verdict::list(result.document, "rows")) {
    for (const char* placement : {"out_of_place", "in_place"}) {
      const auto found = row.find(placement);
      if (found == row.end() || found->is_null()) continue;
      add(chart, {verdict::wanted<std::uint64_t>(row, "size_bytes"), &row, &*found});
      break;  // a model knows no placement
    }
  }
  return section("Predictions", figure(chart));
}

}  // namespace railgauge::report
