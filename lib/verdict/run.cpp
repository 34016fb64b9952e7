#include "verdict/run.hpp"

#include <algorithm>
#include <map>
#include <tuple>

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

std::vector<Point> without_repetitions(const std::vector<Point>& points) {
  using Key =
      std::tuple<std::optional<std::uint64_t>, std::string, std::string, std::string, BufferMode>;
  std::map<Key, std::size_t> places;
  std::vector<std::vector<Point>> groups;
  for (const Point& point : points) {
    const Key key{point.size_bytes, point.type, point.op, point.algorithm, point.buffers};
    const auto [place, is_new] = places.try_emplace(key, groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(point);
  }
  std::vector<Point> medians;
  medians.reserve(groups.size());
  for (const auto& group : groups) medians.push_back(median_of(group));
  return medians;
}

}  // namespace railgauge::verdict
