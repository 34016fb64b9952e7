#include <algorithm>
#include <limits>

#include "measure/sizes.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"
#include "report/row_group.hpp"
#include "results/rail_name.hpp"

namespace railgauge::report {
namespace {

using results::Measurement;
using results::RailResult;

constexpr const char* kWhatRanksDid =
    "<p>What every rank did itself, without waiting for others, over the median of all ranks. A "
    "rank that stands out at every size is a straggler.</p>\n";

constexpr const char* kWhatRailsTook =
    "<p>How long each rail's part of the data took every rank, over what the fastest rail's took "
    "the fastest rank, at the largest size. A rail that is slow on all ranks is slow itself, or "
    "one of its switches; one that is slow on a few is slow at their hosts.</p>\n";

/// Of an even number the lower one in the middle: of two ranks the slower is to stand out.
double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[(values.size() - 1) / 2];
}

std::vector<Cell> own_times(const SizedMeasurement& sized) {
  const Measurement& found = *sized.measurement;
  std::vector<Cell> row{{measure::format_size(sized.size_bytes), ""}};
  const double middle = median(found.rank_own_us);
  for (const double time : found.rank_own_us) {
    const double ratio = middle > 0 ? time / middle : 0;
    row.push_back(middle > 0 ? Cell{number_text(ratio), heat(ratio)} : Cell{"-", ""});
  }
  const auto& late = found.straggler;
  row.push_back(late ? Cell{"rank " + std::to_string(late->rank), "warn"} : Cell{});
  return row;
}

std::string own_map_of(const RowGroup& group) {
  std::vector<std::vector<Cell>> rows;
  std::size_t ranks = 0;
  for (const SizedMeasurement& sized : group.sizes) {
    if (sized.measurement->rank_own_us.empty()) continue;
    ranks = std::max(ranks, sized.measurement->rank_own_us.size());
    rows.push_back(own_times(sized));
  }
  if (rows.empty()) return "";
  std::vector<std::string> head{"size"};
  for (std::size_t rank = 0; rank < ranks; ++rank) head.push_back("rank " + std::to_string(rank));
  head.emplace_back("straggler");
  return table(head, rows);
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

Cell rail_time(const RailResult& rail, std::size_t rank, double least) {
  if (rank >= rail.rank_us.size() || !rail.rank_us[rank]) return {"", ""};
  const double ratio = *rail.rank_us[rank] / least;
  return {number_text(ratio), heat(ratio)};
}

/// Empty if there is nothing to compare.
std::string rail_map_of(const RowGroup& group) {
  const auto largest = std::ranges::max_element(group.sizes, {}, &SizedMeasurement::size_bytes);
  const std::vector<RailResult>& rails = largest->measurement->rails;
  if (rails.size() < 2) return "";
  std::vector<std::string> head{measure::format_size(largest->size_bytes)};
  std::size_t ranks = 0;
  for (const RailResult& rail : rails) {
    head.push_back(results::rail_name(rail, rails));
    ranks = std::max(ranks, rail.rank_us.size());
  }
  const double least = least_of(rails);
  std::vector<std::vector<Cell>> rows;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    rows.push_back({{"rank " + std::to_string(rank), ""}});
    for (const RailResult& rail : rails) rows.back().push_back(rail_time(rail, rank, least));
  }
  return table(head, rows);
}

/// A map for each group, the first of them open.
std::string maps(const results::CollectiveBody& body, std::string (*map_of)(const RowGroup&)) {
  std::string html;
  for (const RowGroup& group : row_groups_of(body)) {
    const std::string map = map_of(group);
    if (!map.empty()) html += folded(group.title, map, html.empty());
  }
  return html;
}

}  // namespace

std::string own_time_part(const results::CollectiveBody& body) {
  const std::string html = maps(body, own_map_of);
  return section("Ranks compared", html.empty() ? "" : kWhatRanksDid + html);
}

std::string rail_times_part(const results::CollectiveBody& body) {
  const std::string html = maps(body, rail_map_of);
  return section("Rails on every rank", html.empty() ? "" : kWhatRailsTook + html);
}

}  // namespace railgauge::report
