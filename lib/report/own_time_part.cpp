#include <algorithm>

#include "measure/sizes.hpp"
#include "report/heat.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"
#include "report/row_group.hpp"
#include "results/fields.hpp"

namespace railgauge::report {
namespace {

constexpr const char* kWhatRanksDid =
    "<p>What every rank did itself, without its waiting for others, over the median of all ranks. "
    "A rank that stands out at every size is a straggler.</p>\n";

/// Of an even number the lower one in the middle: of two ranks the slower is to stand out.
double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[(values.size() - 1) / 2];
}

std::vector<Cell> line(const Measured& measured, const std::vector<double>& own) {
  std::vector<Cell> row{{measure::format_size(measured.size_bytes), ""}};
  const double middle = median(own);
  for (const double time : own) {
    if (middle > 0) {
      row.push_back({number_text(time / middle), heat(time / middle)});
    } else {
      row.push_back({"-", ""});
    }
  }
  const auto straggler = verdict::maybe<Json>(*measured.placement, "straggler");
  row.push_back(
      {straggler ? "rank " + std::to_string(verdict::wanted<int>(*straggler, "rank")) : "",
       straggler ? "warn" : ""});
  return row;
}

std::string map_of(const RowGroup& group) {
  std::vector<std::vector<Cell>> rows;
  std::size_t ranks = 0;
  for (const Measured& measured : group.sizes) {
    const auto own = verdict::maybe<std::vector<double>>(*measured.placement, "rank_own_us");
    if (!own || own->empty()) continue;
    ranks = std::max(ranks, own->size());
    rows.push_back(line(measured, *own));
  }
  if (rows.empty()) return "";
  std::vector<std::string> head{"size"};
  for (std::size_t rank = 0; rank < ranks; ++rank) head.push_back("rank " + std::to_string(rank));
  head.emplace_back("straggler");
  return table(head, rows);
}

}  // namespace

std::string own_time_part(const Result& result) {
  std::string html;
  for (const RowGroup& group : row_groups_of(result.document)) {
    const std::string map = map_of(group);
    if (!map.empty()) html += folded(group.title, map, html.empty());
  }
  return section("Ranks beside each other", html.empty() ? "" : kWhatRanksDid + html);
}

}  // namespace railgauge::report
