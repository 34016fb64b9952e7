#include "verdict/run.hpp"

#include <algorithm>

namespace railgauge::verdict {
namespace {

std::optional<Interval> spanned(const std::vector<Point>& repetitions) {
  std::optional<Interval> all = repetitions.front().median_interval;
  for (const Point& point : repetitions) {
    if (!point.median_interval) return std::nullopt;
    all->low_us = std::min(all->low_us, point.median_interval->low_us);
    all->high_us = std::max(all->high_us, point.median_interval->high_us);
  }
  return all;
}

Point median_of(std::vector<Point> repetitions) {
  std::ranges::stable_sort(repetitions, {}, &Point::time_us);
  Point point = repetitions[repetitions.size() / 2];
  point.median_interval = spanned(repetitions);
  return point;
}

}  // namespace

bool differs_in_figures_only(const Point& one, const Point& other) {
  return one.size_bytes == other.size_bytes && one.type == other.type && one.op == other.op &&
         one.algorithm == other.algorithm && one.buffers == other.buffers;
}

std::vector<Point> without_repetitions(const std::vector<Point>& points) {
  std::vector<std::vector<Point>> groups;
  for (const Point& point : points) {
    const auto same = std::ranges::find_if(
        groups, [&](const auto& group) { return differs_in_figures_only(group.front(), point); });
    if (same == groups.end()) {
      groups.push_back({point});
    } else {
      same->push_back(point);
    }
  }
  std::vector<Point> medians;
  medians.reserve(groups.size());
  for (const auto& group : groups) medians.push_back(median_of(group));
  return medians;
}

}  // namespace railgauge::verdict
