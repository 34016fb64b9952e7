#include "report/ratio_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "report/html.hpp"

namespace railgauge::report {
namespace {

/// A row that is slow in every column is worse than one that is slow once.
double slowness(const RatioRow& row) {
  double sum = 0;
  for (const auto& ratio : row.ratios) {
    if (ratio && *ratio > 1) sum += std::log(*ratio);
  }
  return sum;
}

double highest(const RatioRow& row) {
  double most = 0;
  for (const auto& ratio : row.ratios) most = std::max(most, ratio.value_or(0));
  return most;
}

/// Takes into a host's row what is higher in a rank's.
void take_higher(RatioRow& host, const RatioRow& rank) {
  if (host.worst.empty() || highest(rank) > highest(host)) host.worst = rank.name;
  host.ratios.resize(std::max(host.ratios.size(), rank.ratios.size()));
  for (std::size_t column = 0; column < rank.ratios.size(); ++column) {
    const auto& ratio = rank.ratios[column];
    if (ratio && *ratio > host.ratios[column].value_or(0)) host.ratios[column] = ratio;
  }
}

Row cells_of(const RatioRow& row, bool with_worst) {
  Row cells{row.name};
  for (const auto& ratio : row.ratios) {
    cells.push_back(ratio ? Cell{number_text(*ratio), heat(*ratio)} : Cell{});
  }
  if (with_worst) cells.push_back(row.worst);
  return cells;
}

}  // namespace

RatioTable by_host(const RatioTable& ranks_table, const std::vector<results::Rank>& ranks) {
  RatioTable hosts{ranks_table.corner, ranks_table.columns, {}};
  std::map<std::string, std::size_t> places;
  for (std::size_t rank = 0; rank < ranks_table.rows.size(); ++rank) {
    const RatioRow& row = ranks_table.rows[rank];
    const std::string name = rank < ranks.size() ? ranks[rank].host : row.name;
    const auto [place, is_new] = places.try_emplace(name, hosts.rows.size());
    if (is_new) hosts.rows.push_back({name, {}, {}});
    take_higher(hosts.rows[place->second], row);
  }
  return hosts;
}

std::string html_of(RatioTable ratios, const std::string& what, bool all) {
  constexpr std::size_t kOnAScreen = 16;
  if (ratios.rows.size() > kOnAScreen) {
    std::ranges::stable_sort(ratios.rows, std::greater{}, slowness);
  }
  const bool with_worst =
      std::ranges::any_of(ratios.rows, [](const RatioRow& row) { return !row.worst.empty(); });
  std::vector<std::string> head{ratios.corner};
  head.insert(head.end(), ratios.columns.begin(), ratios.columns.end());
  if (with_worst) head.emplace_back("worst");
  std::vector<Row> rows;
  rows.reserve(ratios.rows.size());
  for (const RatioRow& row : ratios.rows) rows.push_back(cells_of(row, with_worst));
  return ranked_table(head, rows, what, all ? kMostFolded : 0);
}

}  // namespace railgauge::report
