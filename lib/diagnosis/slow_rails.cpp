#include "diagnosis/slow_rails.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "diagnosis/path_times.hpp"

namespace railgauge::diagnosis {
namespace {

/// Healthy software devices of one host reach 1.3 on average over many rows, where the last rail is
/// polled last; a rail at half of its rate has 1.5 to 2. Beside other programs single rows reach
/// 1.85, and two rows together 1.8.
constexpr double kRailSlowerInARow = 1.35;
constexpr double kRailSlowerOnAverage = 1.45;
constexpr double kRailSlowerInTwoRows = 2;
constexpr double kLeastRowsOfRail = 0.6;
constexpr std::size_t kFewestRowsOfRail = 2;
constexpr double kMostUnevenBytes = 1.1;

/// Of a row: [rail][rank] microseconds. Empty: its rails cannot be compared.
using RailTimes = std::map<int, std::vector<double>>;

bool is_even(const std::vector<results::RailResult>& rails) {
  if (rails.empty()) return false;
  const auto [least, most] = std::ranges::minmax(rails, {}, &results::RailResult::bytes);
  return static_cast<double>(most.bytes) <= kMostUnevenBytes * static_cast<double>(least.bytes);
}

/// Of several planes the one that takes longest.
RailTimes times_of(const results::CollectiveRow& row) {
  RailTimes times;
  if (!row.out_of_place || !is_even(row.out_of_place->rails)) return {};
  for (const results::RailResult& rail : row.out_of_place->rails) {
    auto& of_ranks = times[static_cast<int>(rail.rail)];
    of_ranks.resize(rail.rank_us.size());
    for (std::size_t rank = 0; rank < of_ranks.size(); ++rank) {
      if (!rail.rank_us[rank]) return {};
      of_ranks[rank] = std::max(of_ranks[rank], *rail.rank_us[rank]);
    }
  }
  const std::size_t ranks = times.empty() ? 0 : times.begin()->second.size();
  const bool comparable =
      times.size() > 1 && ranks > 1 &&
      std::ranges::all_of(times, [&](const auto& one) { return one.second.size() == ranks; });
  return comparable ? times : RailTimes{};
}

/// Times the slowest other rail of a rank; 1 if the difference is too small to tell.
double slower_at(const RailTimes& times, int rail, std::size_t rank) {
  double others = 0;
  for (const auto& [other, of_ranks] : times) {
    if (other != rail) others = std::max(others, of_ranks.at(rank));
  }
  const double own = times.at(rail)[rank];
  return others > 0 && own - others >= kLeastExcess ? own / others : 1;
}

double slower_in(const RailTimes& times, int rail) {
  double least = INFINITY;
  for (std::size_t rank = 0; rank < times.at(rail).size(); ++rank)
    least = std::min(least, slower_at(times, rail, rank));
  return least;
}

SlowRail described(const std::vector<RailTimes>& rows, int rail) {
  SlowRail found{.rail = rail, .least = INFINITY};
  double sum = 0;
  for (const RailTimes& times : rows) {
    if (!times.contains(rail)) continue;
    const double slower = slower_in(times, rail);
    sum += std::log(slower);
    ++found.of_rows;
    if (slower < kRailSlowerInARow) continue;
    ++found.rows;
    found.least = std::min(found.least, slower);
  }
  found.slower = std::exp(sum / static_cast<double>(std::max<std::size_t>(1, found.of_rows)));
  return found;
}

bool lasts(const SlowRail& rail) {
  const bool few = rail.of_rows <= kFewestRowsOfRail;
  return rail.rows >= kFewestRowsOfRail &&
         rail.slower >= (few ? kRailSlowerInTwoRows : kRailSlowerOnAverage) &&
         static_cast<double>(rail.rows) >= kLeastRowsOfRail * static_cast<double>(rail.of_rows);
}

}  // namespace

std::optional<SlowRail> find_slow_rail(const std::vector<results::CollectiveRow>& rows) {
  std::vector<RailTimes> times;
  for (const results::CollectiveRow& row : rows) {
    if (RailTimes of_row = times_of(row); !of_row.empty()) times.push_back(std::move(of_row));
  }
  if (times.empty()) return std::nullopt;
  for (const auto& [rail, of_ranks] : times.front()) {
    const SlowRail found = described(times, rail);
    if (lasts(found)) return found;
  }
  return std::nullopt;
}

}  // namespace railgauge::diagnosis
