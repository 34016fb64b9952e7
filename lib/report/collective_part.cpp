#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "measure/sizes.hpp"
#include "report/chart.hpp"
#include "report/facts.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"
#include "report/row_group.hpp"
#include "results/rail_name.hpp"

namespace railgauge::report {
namespace {

using results::CollectiveBody;
using results::EdgeTimes;

constexpr const char* kWhatEdgesTook =
    "<p>Time of the fastest chunk from each rank (line) to each (column) at the largest size, "
    "relative to the first quartile of the rail. A slow line transmits slowly, a slow column "
    "receives slowly.</p>\n";

constexpr std::size_t kMostInMatrix = 16;
constexpr std::size_t kMostListed = 24;  // in a list, where there are more ranks

double least_time(const EdgeTimes& edge) {
  return (edge.there ? *edge.there : edge.round).min_us;
}

/// What is usual among these.
double usual_time(const std::vector<EdgeTimes>& edges) {
  std::vector<double> times;
  times.reserve(edges.size());
  for (const EdgeTimes& edge : edges) times.push_back(least_time(edge));
  std::ranges::sort(times);
  return std::max(1e-3, times[(times.size() - 1) / 4]);
}

Cell edge_cell(const EdgeTimes& edge, double usual_us) {
  const double ratio = least_time(edge) / usual_us;
  return {number_text(ratio), heat(ratio)};
}

std::string edge_matrix(const std::vector<EdgeTimes>& edges, int ranks) {
  std::vector<std::string> head{"from"};
  for (int rank = 0; rank < ranks; ++rank) head.push_back(std::to_string(rank));
  std::vector<Row> rows(static_cast<std::size_t>(ranks));
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    rows[rank].resize(head.size());
    rows[rank][0].text = "rank " + std::to_string(rank);
  }
  const double usual_us = usual_time(edges);
  for (const EdgeTimes& edge : edges) {
    rows[static_cast<std::size_t>(edge.from)][static_cast<std::size_t>(edge.to) + 1] =
        edge_cell(edge, usual_us);
  }
  return table(head, rows);
}

std::string edge_list(std::vector<EdgeTimes> edges) {
  const double usual_us = usual_time(edges);
  std::ranges::sort(edges, std::greater{}, least_time);
  edges.resize(std::min(edges.size(), kMostListed));
  const auto row_of = [&](const EdgeTimes& edge) -> Row {
    return {"rank " + std::to_string(edge.from), "rank " + std::to_string(edge.to),
            least_time(edge), edge_cell(edge, usual_us)};
  };
  return table({"from", "to", "us", "times usual"}, rows_of(edges, row_of));
}

/// The row with the largest data that has edges.
const results::CollectiveRow* largest_with_edges(const CollectiveBody& body) {
  const results::CollectiveRow* most = nullptr;
  for (const results::CollectiveRow& row : body.rows) {
    if (row.edges.empty()) continue;
    if (most == nullptr || row.size_bytes >= most->size_bytes) most = &row;
  }
  return most;
}

std::string edges_of(const results::CollectiveRow& row) {
  std::map<std::pair<int, int>, std::vector<EdgeTimes>> of_rail;  // and plane
  int ranks = 0;
  for (const EdgeTimes& edge : row.edges) {
    of_rail[{edge.rail, edge.plane}].push_back(edge);
    ranks = std::max({ranks, edge.from + 1, edge.to + 1});
  }
  std::string html;
  for (const auto& [rail, edges] : of_rail) {
    const bool small = static_cast<std::size_t>(ranks) <= kMostInMatrix;
    std::string name = "Rail " + std::to_string(rail.first);
    if (rail.second > 0) name += " plane " + std::to_string(rail.second);
    html += element("h3", name + ", " + measure::format_size(row.size_bytes)) + "\n" +
            (small ? edge_matrix(edges, ranks) : edge_list(edges));
  }
  return html;
}

/// How long chunks took from rank to rank.
std::string edges_part(const CollectiveBody& body) {
  const results::CollectiveRow* row = largest_with_edges(body);
  return row == nullptr ? "" : section("From rank to rank", kWhatEdgesTook + edges_of(*row));
}

/// The series of that label, which is new if it has to be. What was measured is of whichever
/// algorithm was chosen at a size.
Series& series_named(Chart& chart, const std::string& label, const std::string& algorithm) {
  const auto found = std::ranges::find(chart.series, label, &Series::label);
  if (found != chart.series.end()) return *found;
  chart.series.push_back({label, algorithm.empty(), {}, algorithm});
  return chart.series.back();
}

void add_predictions(Chart& chart, const results::CollectiveRow& row) {
  const auto measured = measurements_of(row);
  if (measured.empty() || row.predictions.empty()) return;
  const auto size = static_cast<double>(row.size_bytes);
  // A model knows no buffer mode.
  series_named(chart, "measured", "")
      .points.emplace_back(size, measured[0].measurement.time.p50_us);
  for (const auto& [algorithm, time_us] : row.predictions) {
    series_named(chart, "predicted of " + algorithm, algorithm).points.emplace_back(size, time_us);
  }
}

/// What each rail carried at the largest size, of the first settings.
std::string rails_part(const CollectiveBody& body) {
  constexpr double kWidth = 30;  // characters of the longest bar
  const std::vector<RowGroup> groups = row_groups_of(body);
  if (groups.empty()) return "";
  const SizedMeasurement& largest =
      *std::ranges::max_element(groups.front().sizes, {}, &SizedMeasurement::size_bytes);
  const auto& rails = largest.measurement->rails;
  if (rails.size() < 2) return "";
  const double most = std::ranges::max(rails, {}, &results::RailResult::busbw_gigabytes_per_second)
                          .busbw_gigabytes_per_second;
  const auto row = [&](const results::RailResult& rail) -> Row {
    const double busbw = rail.busbw_gigabytes_per_second;
    std::string bar;
    const auto length = most > 0 ? std::lround(kWidth * busbw / most) : 0;
    for (long at = 0; at < length; ++at) bar += "█";
    return {results::rail_name(rail, rails), busbw, bar};
  };
  return section("Rails", "<p>Bus bandwidth of each rail: " + escaped(groups.front().title) + ", " +
                              measure::format_size(largest.size_bytes) + ".</p>\n" +
                              table({"rail", "GB/s", ""}, rows_of(rails, row)));
}

}  // namespace

std::string what_ran(const CollectiveBody& body) {
  std::vector<std::string> algorithms;
  std::vector<std::string> types;
  std::set<std::uint64_t> sizes;
  for (const results::CollectiveRow& row : body.rows) {
    add_once(algorithms, row.algorithm);
    const std::string op = row.op.empty() || row.op == "none" ? "" : " " + row.op;
    add_once(types, row.type + (row.point.unreduced ? " " + std::string(results::kUnreduced) : op));
    sizes.insert(row.size_bytes);
  }
  if (sizes.empty()) return plain(body.collective) + ": nothing was measured";
  return joined({plain(body.collective) + (algorithms.empty() ? "" : " by " + listed(algorithms)),
                 listed(types), range_of(sizes)});
}

std::string plateau(const CollectiveBody& /*body*/, const verdict::RunSet& run_set) {
  return plateau_of(run_set);
}

std::string predictions_part(const results::CollectiveBody& body) {
  Chart chart{
      .title = "Time as measured, of the algorithm that was chosen, and as the model predicted it"};
  for (const results::CollectiveRow& row : body.rows) add_predictions(chart, row);
  return section("Predictions", figure(chart));
}

std::string parts_of(const CollectiveBody& body, const Ranks& ranks) {
  return rails_part(body) + edges_part(body) + distribution_part(body) +
         own_time_part(body, ranks) + rail_times_part(body, ranks) + predictions_part(body);
}

}  // namespace railgauge::report
