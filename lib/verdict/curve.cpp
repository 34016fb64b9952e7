#include "verdict/curve.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "finding/words.hpp"
#include "measure/cpu_share.hpp"
#include "measure/sizes.hpp"
#include "measure/statistics.hpp"
#include "results/table.hpp"

namespace railgauge::verdict {
namespace {

constexpr std::uint64_t kLargestOverSmallest = 16;  // of the sizes that are looked at

constexpr double kPlateauShare = 0.9;
constexpr double kStillRising = 1.1;

/// All that tells curves apart but the algorithm.
using Kind = std::tuple<std::string, std::string, BufferMode>;

template <class Described>  // a curve or a point
Kind kind_of(const Described& one) {
  return {one.type, one.op, one.buffers};
}

/// Where a size was measured by two algorithms, they were compared; elsewhere they were chosen by
/// size.
std::set<Kind> kinds_compared(const Run& run) {
  std::map<std::pair<Kind, std::optional<std::uint64_t>>, std::string> algorithms;
  std::set<Kind> compared;
  for (const Point& point : run.points) {
    const std::pair place(kind_of(point), point.size_bytes);
    const auto [found, is_new] = algorithms.try_emplace(place, point.algorithm);
    if (!is_new && found->second != point.algorithm) compared.insert(place.first);
  }
  return compared;
}

double logarithm(std::uint64_t size) {
  return std::log(static_cast<double>(size));
}

/// The part of a curve that each algorithm has.
std::vector<Curve> by_algorithm(const Curve& curve) {
  std::vector<Curve> parts;
  for (const Point& point : curve.points) {
    auto part = std::ranges::find(parts, point.algorithm, &Curve::algorithm);
    if (part == parts.end()) {
      part = parts.insert(parts.end(), Curve{.algorithm = point.algorithm});
    }
    part->points.push_back(point);
  }
  return parts;
}

/// Whether what lies between two points may be held to one of ours: what is not named may be.
bool one_algorithm(const Point& low, const Point& above, const Point& ours) {
  if (low.algorithm != above.algorithm) return false;
  return low.algorithm.empty() || ours.algorithm.empty() || low.algorithm == ours.algorithm;
}

/// Scales a bandwidth of `from` to another size and time: the factors of a collective stay.
std::optional<double> scaled(const std::optional<double>& bandwidth, const Point& from,
                             const Point& to) {
  if (!bandwidth) return std::nullopt;
  const auto rate = [](const Point& point) {
    return static_cast<double>(*point.size_bytes) / *point.time_us;
  };
  return *bandwidth * rate(to) / rate(from);
}

}  // namespace

std::vector<Curve> curves_of(const Run& run) {
  const std::set<Kind> compared = kinds_compared(run);
  std::vector<Curve> curves;
  for (const Point& point : run.points) {
    const Kind kind = kind_of(point);
    const bool by_algorithm = compared.count(kind) > 0;
    auto found = std::ranges::find_if(curves, [&](const Curve& curve) {
      return kind_of(curve) == kind && (!by_algorithm || curve.algorithm == point.algorithm);
    });
    if (found == curves.end()) {
      curves.push_back({point.type, point.op, point.algorithm, point.buffers, {}});
      found = curves.end() - 1;
    }
    found->points.push_back(point);
  }
  for (Curve& curve : curves) {
    std::ranges::stable_sort(curve.points, {}, &Point::size_bytes);
    curve.algorithm = curve.points.back().algorithm;
  }
  return curves;
}

std::string algorithms_of(const Curve& curve) {
  std::vector<std::string> all;
  for (const Curve& part : by_algorithm(curve)) all.push_back(part.algorithm);
  return finding::joined(all);
}

Curve within(Curve curve, const SizeRange& range) {
  std::erase_if(curve.points,
                [&](const Point& point) { return !range.holds(point.size_bytes.value_or(0)); });
  return curve;
}

const Point* point_at(const Curve& curve, std::uint64_t size_bytes) {
  const std::optional<std::uint64_t> size(size_bytes);
  const auto found = std::ranges::lower_bound(curve.points, size, {}, &Point::size_bytes);
  return found == curve.points.end() || found->size_bytes != size ? nullptr : &*found;
}

bool by_time(const Point& ours, const Point& theirs) {
  return ours.time_us && theirs.time_us;
}

std::optional<double> slowness_of(const Point& ours, const Point& theirs) {
  if (by_time(ours, theirs)) return *ours.time_us / *theirs.time_us;
  const double busbw = ours.busbw_gigabytes_per_second.value_or(0);
  if (busbw <= 0 || !theirs.busbw_gigabytes_per_second) return std::nullopt;
  return *theirs.busbw_gigabytes_per_second / busbw;
}

std::optional<Point> interpolated(const Curve& curve, const Point& ours) {
  const std::uint64_t size_bytes = ours.size_bytes.value_or(0);
  const auto above = std::ranges::upper_bound(
      curve.points, std::optional<std::uint64_t>(size_bytes), {}, &Point::size_bytes);
  if (above == curve.points.begin() || above == curve.points.end()) return std::nullopt;
  const Point& low = *(above - 1);
  if (low.size_bytes.value_or(0) == 0 || !low.time_us || !above->time_us) return std::nullopt;
  if (!one_algorithm(low, *above, ours)) return std::nullopt;
  const double share = (logarithm(size_bytes) - logarithm(*low.size_bytes)) /
                       (logarithm(*above->size_bytes) - logarithm(*low.size_bytes));
  Point point = *above;
  point.size_bytes = size_bytes;
  point.time_us =
      std::exp((1 - share) * std::log(*low.time_us) + share * std::log(*above->time_us));
  point.algbw_gigabytes_per_second = scaled(above->algbw_gigabytes_per_second, *above, point);
  point.busbw_gigabytes_per_second = scaled(above->busbw_gigabytes_per_second, *above, point);
  return point;
}

std::optional<Plateau> plateau_of(const Curve& curve) {
  double highest = 0;
  for (const Point& point : curve.points) {
    highest = std::max(highest, point.busbw_gigabytes_per_second.value_or(0));
  }
  for (const Point& point : curve.points) {
    if (highest == 0 || point.busbw_gigabytes_per_second.value_or(0) < kPlateauShare * highest) {
      continue;
    }
    const std::uint64_t from = point.size_bytes.value_or(0);
    return Plateau{from, median_busbw_from(curve, from).value_or(highest)};
  }
  return std::nullopt;
}

std::optional<double> median_busbw_from(const Curve& curve, std::uint64_t size_bytes) {
  std::vector<double> values;
  for (const Point& point : curve.points) {
    const bool in = point.size_bytes.value_or(0) >= size_bytes;
    if (in && point.busbw_gigabytes_per_second) {
      values.push_back(*point.busbw_gigabytes_per_second);
    }
  }
  if (values.empty()) return std::nullopt;
  return measure::median(values);
}

bool still_rises(const Curve& curve) {
  if (curve.points.size() < 2) return false;
  const Point& last = curve.points.back();
  const Point& before = curve.points[curve.points.size() - 2];
  return last.busbw_gigabytes_per_second.value_or(0) >
         kStillRising * before.busbw_gigabytes_per_second.value_or(0);
}

const Point* latency_of(const Curve& curve) {
  for (const Point& point : curve.points) {
    if (point.size_bytes.value_or(0) > kSmallBytes) break;
    if (point.size_bytes.value_or(0) > 0 && point.time_us) return &point;
  }
  return nullptr;
}

namespace {

/// How much faster than its median the fastest iteration was; 1 if that is not known.
double fastest_over_median(const Point& point) {
  if (!point.min_us || !point.time_us || *point.min_us <= 0) return 1;
  return std::max(*point.time_us / *point.min_us, 1.0);
}

/// Why a point may be slow whose speed would be at least `enough` with a CPU all the time.
std::string excuse_of(const Point& point, double speed, double enough) {
  const double share = point.cpu_share.value_or(1);
  return measure::rate_at_full_share(speed, share) < enough ? "" : measure::cpu_share_text(share);
}

void add_narrow(const Curve& curve, double tolerance, std::vector<Dip>& dips) {
  const Point* widest = nullptr;
  for (const Point& point : curve.points) {
    const auto& busbw = point.busbw_gigabytes_per_second;
    if (!busbw || *busbw < 0) continue;
    const double most = widest == nullptr ? *busbw : *widest->busbw_gigabytes_per_second;
    const double fastest = *busbw * fastest_over_median(point);
    const double enough = (1 - tolerance) * most;
    if (widest != nullptr && fastest < enough) {
      dips.push_back({point.size_bytes.value_or(0), widest->size_bytes.value_or(0), "GB/s", *busbw,
                      most, point.algorithm, excuse_of(point, fastest, enough)});
    }
    if (widest == nullptr || *busbw > most) widest = &point;
  }
}

void add_long(const Curve& curve, double tolerance, std::vector<Dip>& dips) {
  const Point* shortest = nullptr;
  for (auto point = curve.points.rbegin(); point != curve.points.rend(); ++point) {
    if (!point->time_us) continue;
    const double fastest_us = *point->time_us / fastest_over_median(*point);
    if (shortest != nullptr && *shortest->time_us < (1 - tolerance) * fastest_us) {
      dips.push_back({point->size_bytes.value_or(0), shortest->size_bytes.value_or(0), "us",
                      *point->time_us, *shortest->time_us, point->algorithm,
                      excuse_of(*point, 1 / fastest_us, (1 - tolerance) / *shortest->time_us)});
    }
    if (shortest == nullptr || *point->time_us < *shortest->time_us) shortest = &*point;
  }
}

}  // namespace

std::vector<Dip> dips_of(const Curve& curve, double tolerance) {
  std::vector<Dip> dips;
  for (const Curve& part : by_algorithm(curve)) {
    add_narrow(part, tolerance, dips);
    add_long(part, tolerance, dips);
  }
  std::ranges::stable_sort(dips, {}, &Dip::size_bytes);
  return dips;
}

std::string in_words(const Dip& dip) {
  const bool smaller = dip.other_bytes < dip.size_bytes;
  return measure::format_size(dip.other_bytes) + ", which is " + (smaller ? "smaller" : "larger") +
         (smaller ? ", has " : ", takes ") + results::printed("%.2f ", dip.other) +
         std::string(dip.unit);
}

Row about(const std::string& criterion, const Run& run, const Curve& curve) {
  Row row;
  row.criterion = criterion;
  if (run.point) row.setting = run.name;
  row.collective = run.collective;
  row.type = curve.type;
  row.op = curve.op;
  row.algorithm = curve.algorithm;
  row.buffers = curve.buffers;
  row.ranks = run.ranks;
  row.nics_per_node = run.nics_per_node;
  return row;
}

const Point* most_out_of_balance(const Curve& curve) {
  if (curve.points.empty()) return nullptr;
  const std::uint64_t largest = curve.points.back().size_bytes.value_or(0);
  const Point* worst = nullptr;
  for (const Point& point : curve.points) {
    if (!point.slowest_rail) continue;
    if (point.size_bytes.value_or(0) < largest / kLargestOverSmallest) continue;
    if (worst == nullptr || point.slowest_rail->percent > worst->slowest_rail->percent) {
      worst = &point;
    }
  }
  return worst;
}

std::string in_words(const SlowestRail& slowest) {
  const std::string plane = slowest.plane < 0 ? "" : " plane " + std::to_string(slowest.plane);
  return "rail " + std::to_string(slowest.rail) + plane + " is slowest";
}

namespace {

/// Of the tails of a run's own iterations; 0 of a curve that does not tell.
double spread_of(const Curve& curve) {
  constexpr double kNormal90 = 1.2816;
  std::vector<double> deviations;
  for (const Point& point : curve.points) {
    if (!point.time_us || !point.p90_us || *point.time_us <= 0) continue;
    deviations.push_back(std::log(std::max(*point.p90_us / *point.time_us, 1.0)) / kNormal90);
  }
  return deviations.empty() ? 0 : measure::median(deviations);
}

std::vector<double> log_ratios(const Curve& ours, const Curve& theirs) {
  std::vector<double> ratios;
  for (const Point& point : ours.points) {
    const Point* const other = point_at(theirs, point.size_bytes.value_or(0));
    const auto slowness = other == nullptr ? std::nullopt : slowness_of(point, *other);
    if (slowness.value_or(0) > 0) ratios.push_back(std::log(*slowness));
  }
  return ratios;
}

double jumps_of(const std::vector<double>& ratios) {
  constexpr std::size_t kFewest = 5;
  constexpr double kOfMedian = 1.4826;
  if (ratios.size() < kFewest) return 0;
  std::vector<double> jumps;
  for (std::size_t i = 1; i < ratios.size(); ++i) {
    jumps.push_back(std::abs(ratios[i] - ratios[i - 1]));
  }
  return measure::median(jumps) * kOfMedian / std::sqrt(2.0);
}

}  // namespace

Noise noise_of(const Curve& ours, const Curve& theirs) {
  const double of_baseline = spread_of(theirs);
  return {of_baseline,
          std::max({of_baseline, spread_of(ours), jumps_of(log_ratios(ours, theirs))})};
}

}  // namespace railgauge::verdict
