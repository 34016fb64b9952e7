#include "verdict/run.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "finding/words.hpp"
#include "measure/sizes.hpp"
#include "schedule/collective.hpp"

namespace railgauge::verdict {
namespace {

std::optional<measure::MedianInterval> spanned(const std::vector<Point>& repetitions) {
  auto all = repetitions.front().median_interval;
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

/// Two decimals were printed at least; a mean and a median of one run may differ by half.
bool contradict(double printed, double computed, double slack) {
  return std::abs(printed - computed) > 0.03 + slack * std::max(printed, computed);
}

std::string told(const Point& point, const char* what, double printed, const std::string& from,
                 double computed) {
  return (point.size_bytes ? measure::format_size(*point.size_bytes) + ": " : "") + what + " is " +
         finding::number(printed, 4) + " GB/s, but " + from + " " + finding::number(computed, 4);
}

std::string why_inconsistent(const Point& point, std::optional<double> factor) {
  constexpr double kMeanOrMedian = 0.5;
  constexpr double kRounded = 0.012;
  const auto& algbw = point.algbw_gigabytes_per_second;
  const auto& busbw = point.busbw_gigabytes_per_second;
  if (algbw && point.size_bytes && point.time_us.value_or(0) > 0) {
    const double rate = measure::algbw_gigabytes_per_second(*point.size_bytes, *point.time_us);
    if (contradict(*algbw, rate, kMeanOrMedian))
      return told(point, "algbw", *algbw, "size over time", rate);
  }
  if (algbw && busbw && factor && contradict(*busbw, *algbw * *factor, kRounded))
    return told(point, "busbw", *busbw, "algbw and the ranks make", *algbw * *factor) +
           ": is --collective or --ranks wrong?";
  return "";
}

}  // namespace

std::string why_inconsistent(const Run& run) {
  const auto collective = schedule::collective(run.collective);
  const std::optional<int>& ranks = run.split.empty() ? run.ranks : run.group_ranks;
  std::optional<double> factor;
  if (collective && ranks)
    factor = schedule::bus_factor(*collective, static_cast<schedule::Rank>(*ranks));
  for (const Point& point : run.points) {
    std::string why = why_inconsistent(point, factor);
    if (!why.empty()) return why;
  }
  return "";
}

void refuse_inconsistent(const std::vector<Run>& runs, const std::string& name) {
  for (const Run& run : runs) {
    const std::string why = why_inconsistent(run);
    if (!why.empty())
      throw std::runtime_error(std::string("cannot use ").append(name).append(": ") + why);
  }
}

PointKey key_of(const Point& point) {
  return {point.size_bytes, point.type, point.op, point.algorithm, point.buffers};
}

std::vector<Point> without_repetitions(const std::vector<Point>& points) {
  std::map<PointKey, std::size_t> places;
  std::vector<std::vector<Point>> groups;
  for (const Point& point : points) {
    const auto [place, is_new] = places.try_emplace(key_of(point), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(point);
  }
  std::vector<Point> medians;
  medians.reserve(groups.size());
  for (const auto& group : groups) medians.push_back(median_of(group));
  return medians;
}

}  // namespace railgauge::verdict
