#include <algorithm>
#include <limits>

#include "measure/sizes.hpp"
#include "report/heat.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"
#include "report/row_group.hpp"
#include "results/fields.hpp"

namespace railgauge::report {
namespace {

using Times = std::vector<std::optional<double>>;  // [rank]

constexpr const char* kWhatRailsTook =
    "<p>How long each rail's part of the data took every rank, over what the fastest rail's took "
    "the "
    "fastest rank, at the largest size. A rail that is slow on all ranks is slow itself, or one of "
    "its "
    "switches; one that is slow on a few is slow at their hosts.</p>\n";

struct Rail {
  int number = 0;
  Times times_us;
};

std::vector<Rail> rails_of(const Measured& measured) {
  std::vector<Rail> rails;
  const auto listed = verdict::maybe<Json>(*measured.placement, "rails");
  if (!listed) return rails;
  for (const Json& one : *listed) {
    Rail rail{verdict::wanted<int>(one, "rail"), {}};
    for (const Json& time : verdict::list(one, "rank_us")) {
      rail.times_us.push_back(time.is_number() ? std::optional(time.get<double>()) : std::nullopt);
    }
    rails.push_back(std::move(rail));
  }
  return rails;
}

double least_of(const std::vector<Rail>& rails) {
  double least = std::numeric_limits<double>::infinity();
  for (const Rail& rail : rails) {
    for (const auto& time_us : rail.times_us) {
      if (time_us && *time_us > 0) least = std::min(least, *time_us);
    }
  }
  return least;
}

Cell cell(const Rail& rail, std::size_t rank, double least) {
  if (rank >= rail.times_us.size() || !rail.times_us[rank]) return {"", ""};
  const double ratio = *rail.times_us[rank] / least;
  return {number_text(ratio), heat(ratio)};
}

/// Empty if there is nothing to compare.
std::string map_of(const RowGroup& group) {
  const Measured& largest = *std::ranges::max_element(group.sizes, {}, &Measured::size_bytes);
  const std::vector<Rail> rails = rails_of(largest);
  if (rails.size() < 2) return "";
  std::vector<std::string> head{measure::format_size(largest.size_bytes)};
  std::size_t ranks = 0;
  for (const Rail& rail : rails) {
    head.push_back("rail " + std::to_string(rail.number));
    ranks = std::max(ranks, rail.times_us.size());
  }
  const double least = least_of(rails);
  std::vector<std::vector<Cell>> rows;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    rows.push_back({{"rank " + std::to_string(rank), ""}});
    for (const Rail& rail : rails) rows.back().push_back(cell(rail, rank, least));
  }
  return table(head, rows);
}

}  // namespace

std::string rail_times_part(const Result& result) {
  std::string html;
  for (const RowGroup& group : row_groups_of(result.document)) {
    if (group.sizes.empty()) continue;
    const std::string map = map_of(group);
    if (!map.empty()) html += folded(group.title, map, html.empty());
  }
  return section("Ranks and rails", html.empty() ? "" : kWhatRailsTook + html);
}

}  // namespace railgauge::report
