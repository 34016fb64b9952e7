#include <algorithm>
#include <map>

#include "measure/sizes.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"

namespace railgauge::report {
namespace {

using results::EdgeTimes;

constexpr const char* kWhatEdgesTook =
    "<p>How long the fastest chunk took from each rank (line) to each (column), over what a "
    "quarter "
    "of all connections of the rail did not take, at the largest size. A line that is slow sends "
    "slowly, a column receives slowly.</p>\n";

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
  std::vector<std::vector<Cell>> rows(static_cast<std::size_t>(ranks));
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
  std::vector<std::vector<Cell>> rows;
  rows.reserve(edges.size());
  for (const EdgeTimes& edge : edges) {
    rows.push_back({{"rank " + std::to_string(edge.from), ""},
                    {"rank " + std::to_string(edge.to), ""},
                    {number_text(least_time(edge)), ""},
                    edge_cell(edge, usual_us)});
  }
  return table({"from", "to", "us", "times usual"}, rows);
}

/// The row with the largest data that has edges.
const results::CollectiveRow* largest_with_edges(const results::CollectiveBody& body) {
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

}  // namespace

std::string findings_part(const results::CollectiveBody& body) {
  if (body.findings.empty()) return "";
  std::string items;
  for (const results::Finding& one : body.findings) items += element("li", escaped(one.text));
  return section("Who is slow or loses packets", element("ul", items) + "\n");
}

std::string edges_part(const results::CollectiveBody& body) {
  const results::CollectiveRow* row = largest_with_edges(body);
  return row == nullptr ? "" : section("From rank to rank", kWhatEdgesTook + edges_of(*row));
}

}  // namespace railgauge::report
