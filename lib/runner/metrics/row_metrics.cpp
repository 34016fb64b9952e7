#include "runner/metrics/row_metrics.hpp"

#include "results/measurement.hpp"
#include "results/soak.hpp"
#include "runner/metrics/base_units.hpp"
#include "runner/metrics/vital_metrics.hpp"

namespace railgauge::runner {
namespace {

using metrics::Kind;
using metrics::Labels;
using metrics::Metric;
using metrics::with;

constexpr Metric kRows{.name = "railgauge_rows_total",
                       .kind = Kind::counter,
                       .help = "Rows of the result that have been measured."};
constexpr Metric kRowBandwidth{.name = "railgauge_bus_bandwidth_bytes_per_second",
                               .help =
                                   "Bus bandwidth at the median time, as nccl-tests defines it; "
                                   "the last row of each size and setting.",
                               .passing = true};
constexpr Metric kRowRailBandwidth{.name = "railgauge_rail_bus_bandwidth_bytes_per_second",
                                   .help =
                                       "The part of the bus bandwidth that one rail, or one plane "
                                       "of it, had.",
                                   .passing = true};
constexpr Metric kLineRate{.name = "railgauge_line_rate_ratio",
                           .help = "What a host's NICs sent over what they can.",
                           .passing = true};
constexpr Metric kRowIterations{.name = "railgauge_iteration_seconds",
                                .kind = Kind::histogram,
                                .help =
                                    "Time of an iteration of the collective on its slowest rank, "
                                    "unless options set another rule.",
                                .passing = true};
constexpr Metric kVerifiedIterations{
    .name = "railgauge_verified_iterations_total",
    .kind = Kind::counter,
    .help = "Iterations whose result was compared with what it has to be."};
constexpr Metric kWrongElements{
    .name = "railgauge_wrong_elements_total",
    .kind = Kind::counter,
    .help = "Elements over all ranks that were not what they have to be."};
constexpr Metric kPaths{.name = "railgauge_pairs_paths_total",
                        .kind = Kind::counter,
                        .help = "Directions between two ports that were measured."};

Labels labels_of(const std::string& collective, const results::CollectiveRow& row) {
  const results::SweepPoint& point = row.point;
  Labels labels{{"collective", collective},
                {"algorithm", row.algorithm},
                {"size", std::to_string(row.size_bytes)},
                {"type", row.type},
                {"op", row.op},
                {"rails", results::rails_of(point)},
                {"qps", std::to_string(point.queue_pairs)},
                {"chunk", std::to_string(point.chunk_bytes)},
                {"tc", std::to_string(point.traffic_class)}};
  if (point.unreduced) labels.emplace_back("unverified", "true");
  if (point.root >= 0) labels.emplace_back("root", std::to_string(point.root));
  return labels;
}

}  // namespace

RowMetrics::RowMetrics(metrics::Registry& registry) : registry_(registry) {
  registry_.add(kRows, {}, 0);
  registry_.add(kVerifiedIterations, {}, 0);
  registry_.add(kWrongElements, {}, 0);
  judge_data(0, 0);
}

void RowMetrics::add_last(const results::Body& body) {
  registry_.add(kRows, {}, 1);
  std::visit([&](const auto& held) { add(body, held.rows.back()); }, body);
}

void RowMetrics::add(const results::Body& body, const results::CollectiveRow& row) {
  const Labels labels = labels_of(std::get<results::CollectiveBody>(body).collective, row);
  for (const auto& [mode, measurement] : results::measurements_of(row)) {
    add(with(labels, "buffers", results::word(mode)), measurement);
  }
}

void RowMetrics::add(const Labels& labels, const results::Measurement& measurement) {
  registry_.set(kRowBandwidth, labels, bytes_of_gigabytes(measurement.busbw_gigabytes_per_second));
  if (measurement.line_rate_percent) {
    registry_.set(kLineRate, labels, ratio_of_percent(*measurement.line_rate_percent));
  }
  metrics::TimeHistogram& times = registry_.times(kRowIterations, labels);
  for (const measure::Histogram::Bin& bin : measurement.histogram) {
    times.add(seconds_of_microseconds((bin.lower_us + bin.upper_us) / 2), bin.count);
  }
  add_rails(labels, measurement);
  judge_data(measurement.wrong ? static_cast<double>(measurement.verified_iterations) : 0,
             static_cast<double>(measurement.wrong.value_or(0)));
}

void RowMetrics::add_rails(const Labels& labels, const results::Measurement& measurement) {
  for (const results::RailResult& rail : measurement.rails) {
    registry_.set(
        kRowRailBandwidth,
        with(with(labels, "rail", std::to_string(rail.rail)), "plane", std::to_string(rail.plane)),
        bytes_of_gigabytes(rail.busbw_gigabytes_per_second));
  }
}

void RowMetrics::add(const results::Body& /*body*/, const results::PairRow& row) {
  registry_.add(kPaths,
                {{"path", row.same_rail ? "same rail" : "cross rail"},
                 {"mode", row.mode},
                 {"verdict", std::string(results::word(row.verdict))}},
                1);
}

void RowMetrics::judge_data(double verified, double wrong) {
  registry_.add(kVerifiedIterations, {}, verified);
  registry_.add(kWrongElements, {}, wrong);
  any_wrong_ = any_wrong_ || wrong > 0;
  any_verified_ = any_verified_ || verified > 0;
  set_verdict(registry_, "data", any_wrong_ ? "FAIL" : any_verified_ ? "PASS" : "UNKNOWN");
}

}  // namespace railgauge::runner
