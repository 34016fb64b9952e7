#include "report/row_group.hpp"

#include <algorithm>

#include "report/html.hpp"

namespace railgauge::report {
namespace {

using results::CollectiveRow;
using results::SweepPoint;

std::string op_of(const CollectiveRow& row) {
  return row.op.empty() || row.op == "none" ? "" : " " + row.op;
}

std::string title_of(const CollectiveRow& row, results::BufferMode mode,
                     const std::vector<SweepPoint>& points) {
  return joined({row.algorithm, row.type + op_of(row), in_words(row.point, points), plain(mode),
                 row.cycle > 0 ? "cycle " + std::to_string(row.cycle) : ""});
}

void add(std::vector<RowGroup>& groups, const std::string& title, const SizedMeasurement& sized) {
  const auto same = std::ranges::find(groups, title, &RowGroup::title);
  if (same == groups.end()) {
    groups.push_back({title, {sized}});
  } else {
    same->sizes.push_back(sized);
  }
}

/// Each once.
std::vector<SweepPoint> points_of(const std::vector<CollectiveRow>& rows) {
  std::vector<SweepPoint> points;
  points.reserve(rows.size());
  for (const CollectiveRow& row : rows) points.push_back(row.point);
  std::ranges::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

}  // namespace

std::vector<RowGroup> row_groups_of(const results::CollectiveBody& body) {
  const std::vector<SweepPoint> points = points_of(body.rows);
  std::vector<RowGroup> groups;
  for (const CollectiveRow& row : body.rows) {
    for (const results::Measured& measured : measurements_of(row)) {
      add(groups, title_of(row, measured.mode, points), {row.size_bytes, &measured.measurement});
    }
  }
  return groups;
}

std::string folded_groups(const results::CollectiveBody& body, std::size_t most,
                          const InnerOf& inner_of) {
  std::string html;
  std::size_t shown = 0;
  std::size_t left = 0;
  for (const RowGroup& group : row_groups_of(body)) {
    const std::string inner = shown < most ? inner_of(group, shown == 0) : "";
    if (!inner.empty()) html += folded(group.title, inner, shown++ == 0);
    left += inner.empty() && shown == most ? 1 : 0;
  }
  return html + left_out(left, "settings");
}

}  // namespace railgauge::report
