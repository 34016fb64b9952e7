#include <algorithm>
#include <map>

#include "measure/sizes.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"

namespace railgauge::report {
namespace {

using results::EdgeTimes;
using results::Finding;

constexpr const char* kWhatEdgesTook =
    "<p>How long the fastest chunk took from each rank (line) to each (column), over what a "
    "quarter "
    "of all connections of the rail did not take, at the largest size. A line that is slow sends "
    "slowly, a column receives slowly.</p>\n";

constexpr std::size_t kMostRanks = 16;
constexpr std::size_t kMostEdges = 24;  // in a list, where there are more ranks

double time_of(const EdgeTimes& edge) {
  return (edge.there ? *edge.there : edge.round).min_us;
}

/// What is usual among these.
double usual(const std::vector<EdgeTimes>& edges) {
  std::vector<double> times;
  for (const EdgeTimes& edge : edges) times.push_back(time_of(edge));
  std::ranges::sort(times);
  return std::max(1e-3, times[(times.size() - 1) / 4]);
}

Cell cell_of(const EdgeTimes& edge, double usual_us) {
  const double ratio = time_of(edge) / usual_us;
  return {number_text(ratio), heat(ratio)};
}

std::string matrix(const std::vector<EdgeTimes>& edges, int ranks) {
  std::vector<std::string> head{"from"};
  for (int rank = 0; rank < ranks; ++rank) head.push_back(std::to_string(rank));
  std::vector<std::vector<Cell>> rows(static_cast<std::size_t>(ranks));
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    rows[rank].resize(head.size());
    rows[rank][0].text = "rank " + std::to_string(rank);
  }
  const double usual_us = usual(edges);
  for (const EdgeTimes& edge : edges) {
    rows[static_cast<std::size_t>(edge.from)][static_cast<std::size_t>(edge.to) + 1] =
        cell_of(edge, usual_us);
  }
  return table(head, rows);
}

std::string list(std::vector<EdgeTimes> edges) {
  const double usual_us = usual(edges);
  std::ranges::sort(edges, std::greater{}, time_of);
  edges.resize(std::min(edges.size(), kMostEdges));
  std::vector<std::vector<Cell>> rows;
  for (const EdgeTimes& edge : edges) {
    rows.push_back({{"rank " + std::to_string(edge.from), ""},
                    {"rank " + std::to_string(edge.to), ""},
                    {number_text(time_of(edge)), ""},
                    cell_of(edge, usual_us)});
  }
  return table({"from", "to", "us", "times usual"}, rows);
}

/// The row with the largest data that has edges.
const results::CollectiveRow* largest(const results::CollectiveBody& body) {
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
    const bool small = static_cast<std::size_t>(ranks) <= kMostRanks;
    std::string name = "Rail " + std::to_string(rail.first);
    if (rail.second > 0) name += " plane " + std::to_string(rail.second);
    html += element("h3", name + ", " + measure::format_size(row.size_bytes)) + "\n" +
            (small ? matrix(edges, ranks) : list(edges));
  }
  return html;
}

}  // namespace

std::string findings_part(const results::CollectiveBody& body) {
  if (body.findings.empty()) return "";
  std::string items;
  for (const Finding& one : body.findings) items += element("li", escaped(one.text));
  return section("Who is slow or loses packets", element("ul", items) + "\n");
}

std::string edges_part(const results::CollectiveBody& body) {
  const results::CollectiveRow* row = largest(body);
  return row == nullptr ? "" : section("From rank to rank", kWhatEdgesTook + edges_of(*row));
}

}  // namespace railgauge::report
