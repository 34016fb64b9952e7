#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "measure/sizes.hpp"
#include "measure/statistics.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"
#include "report/row_group.hpp"
#include "results/rail_name.hpp"

namespace railgauge::report {
namespace {

using results::RailResult;

constexpr const char* kWhatRanksDid =
    "<p>Time each rank spent outside waits, relative to the median rank. A rank with a high ratio "
    "at every size is slow, or has more work.</p>\n";

constexpr const char* kWhatRailsTook =
    "<p>How long each rail's part of the data took every rank, over what the fastest rail's took "
    "the fastest rank, at the largest size. A rail that is slow on a few ranks is slow at their "
    "hosts. One that is slow on all is slow itself, or one link of it is, for which all wait: "
    "the findings tell.</p>\n";

constexpr const char* kOfHosts =
    "<p>A host has the figure of its slowest rank. Hosts that are slow stand first.</p>\n";

constexpr std::size_t kMostRanks = 16;    // with a line each; more are taken by host
constexpr std::size_t kMostColumns = 10;  // sizes
constexpr std::size_t kMostGroups = 8;

using Sizes = std::vector<SizedMeasurement>;

/// A line of ratios, each of which is 1 where all is as it should be, and more where it is slow;
/// empty where there is none.
struct RatioRow {
  std::string name{};  // "rank 3", "host17"
  std::vector<std::optional<double>> ratios{};
  std::string worst{};  // who has the highest of them, if the row stands for several
};

struct RatioTable {
  std::string corner{};
  std::vector<std::string> columns{};
  std::vector<RatioRow> rows{};
};

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

/// The same with a row for each host: of its ranks, the highest ratio of every column. Row i of
/// `ranks_table` is rank i.
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

/// Shaded by heat(). Sorts rows if there are more than fit on a screen, those first that are slow
/// in most columns. `all`: fold up those that are not shown, instead of only counting them.
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
  const auto cells = [&](const RatioRow& row) { return cells_of(row, with_worst); };
  return ranked_table(head, rows_of(ratios.rows, cells), what, all ? kMostFolded : 0);
}

/// Those that know what ranks did themselves.
Sizes with_own_times(const RowGroup& group) {
  Sizes sizes = group.sizes;
  std::erase_if(sizes,
                [](const SizedMeasurement& one) { return one.measurement->rank_own_us.empty(); });
  return sizes;
}

std::size_t ranks_of(const Sizes& sizes) {
  std::size_t ranks = 0;
  for (const SizedMeasurement& one : sizes) {
    ranks = std::max(ranks, one.measurement->rank_own_us.size());
  }
  return ranks;
}

/// Rows that have no ratios yet.
RatioTable of_ranks(const std::string& corner, std::size_t ranks) {
  RatioTable all{corner, {}, {}};
  all.rows.resize(ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    all.rows[rank].name = "rank " + std::to_string(rank);
  }
  return all;
}

void add_column(RatioTable& all, const SizedMeasurement& sized) {
  const std::vector<double>& times = sized.measurement->rank_own_us;
  const double middle = measure::median(times);
  all.columns.push_back(measure::format_size(sized.size_bytes));
  for (std::size_t rank = 0; rank < all.rows.size(); ++rank) {
    const bool known = rank < times.size() && middle > 0;
    all.rows[rank].ratios.emplace_back();
    if (known) all.rows[rank].ratios.back() = times[rank] / middle;
  }
}

/// By host where ranks are many.
std::string by_rank_or_host(const RatioTable& ratios, const Ranks& ranks, bool all) {
  if (ratios.rows.size() <= kMostRanks) return html_of(ratios, "ranks", all);
  return html_of(by_host(ratios, ranks), "hosts", all);
}

std::string own_map_of(const RowGroup& group, const Ranks& ranks, bool all) {
  const Sizes sizes = with_own_times(group);
  if (sizes.empty()) return "";
  const std::size_t count = ranks_of(sizes);
  RatioTable ratios = of_ranks(count <= kMostRanks ? "rank" : "host", count);
  for (const std::size_t at : spread(sizes.size(), kMostColumns)) add_column(ratios, sizes[at]);
  return by_rank_or_host(ratios, ranks, all);
}

double least_of(const std::vector<RailResult>& rails) {
  double least = std::numeric_limits<double>::infinity();
  for (const RailResult& rail : rails) {
    for (const auto& time_us : rail.rank_us) {
      if (time_us && *time_us > 0) least = std::min(least, *time_us);
    }
  }
  return least;
}

std::optional<double> rail_ratio(const RailResult& rail, std::size_t rank, double least) {
  if (rank >= rail.rank_us.size() || !rail.rank_us[rank]) return std::nullopt;
  return *rail.rank_us[rank] / least;
}

RatioTable rail_ratios(const std::string& corner, const std::vector<RailResult>& rails) {
  std::size_t ranks = 0;
  for (const RailResult& rail : rails) ranks = std::max(ranks, rail.rank_us.size());
  RatioTable ratios = of_ranks(corner, ranks);
  const double least = least_of(rails);
  for (const RailResult& rail : rails) {
    ratios.columns.push_back(results::rail_name(rail, rails));
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      ratios.rows[rank].ratios.push_back(rail_ratio(rail, rank, least));
    }
  }
  return ratios;
}

/// Empty if there is nothing to compare.
std::string rail_map_of(const RowGroup& group, const Ranks& ranks, bool all) {
  const auto largest = std::ranges::max_element(group.sizes, {}, &SizedMeasurement::size_bytes);
  const std::vector<RailResult>& rails = largest->measurement->rails;
  if (rails.size() < 2) return "";
  return by_rank_or_host(rail_ratios(measure::format_size(largest->size_bytes), rails), ranks, all);
}

/// A map for each group, the first of them with all hosts.
std::string maps(const results::CollectiveBody& body, const Ranks& ranks,
                 std::string (*map_of)(const RowGroup&, const Ranks&, bool)) {
  return folded_groups(body, kMostGroups, [&](const RowGroup& group, bool first) {
    return map_of(group, ranks, first);
  });
}

std::string what(const char* text, const Ranks& ranks) {
  return std::string(text) + (ranks.size() > kMostRanks ? kOfHosts : "");
}

}  // namespace

std::string own_time_part(const results::CollectiveBody& body, const Ranks& ranks) {
  const std::string html = maps(body, ranks, own_map_of);
  return section("Ranks compared", html.empty() ? "" : what(kWhatRanksDid, ranks) + html);
}

std::string rail_times_part(const results::CollectiveBody& body, const Ranks& ranks) {
  const std::string html = maps(body, ranks, rail_map_of);
  return section("Rails on every rank", html.empty() ? "" : what(kWhatRailsTook, ranks) + html);
}

}  // namespace railgauge::report
