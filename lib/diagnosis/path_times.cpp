#include "diagnosis/path_times.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "diagnosis/slow_hosts.hpp"
#include "diagnosis/twins.hpp"
#include "measure/statistics.hpp"

namespace railgauge::diagnosis {
namespace {

/// In a run of a single row so many times, as nothing confirms it.
constexpr double kSlowerOnce = 6;
/// A path whose fastest chunk is not slow is if the middle one takes so many times what is usual:
/// load raises it, too, ...
constexpr double kSlowerMedian = 4;
/// ... but not the fastest one by so much.
constexpr double kRaisedFloor = 1.5;

/// `once`: of a run of a single row.
Usual usual_of(const std::vector<PathTime>& row, bool once) {
  std::vector<double> floors;
  std::vector<double> medians;
  std::vector<double> ack_delays;
  for (const PathTime& one : row) {
    floors.push_back(one.min_us);
    medians.push_back(one.median_us);
    if (one.ack_delay_us) ack_delays.push_back(*one.ack_delay_us);
  }
  const double least_factor = once ? kSlowerOnce : kSlower;
  return {.floors = normal::floors_of(std::move(floors), least_factor),
          .median_us = measure::median(medians),
          .ack_delay_us = ack_delays.empty()
                              ? 0
                              : normal::floors_of(std::move(ack_delays), least_factor).usual};
}

bool exceeds(double time_us, double usual_us, double factor, double least_excess_us) {
  return time_us > factor * usual_us && time_us > usual_us + least_excess_us;
}

/// More where ranks waited for processors for half of the time, by as much as they were slowed
/// down: the fastest chunk of two ranks that share one waits for a turn, too.
double least_excess_us(const results::CollectiveRow& row) {
  constexpr double kCrowded = 0.5;
  constexpr double kLeastShare = 0.001;
  constexpr double kTurns_us = 500;  // as much as the turns of a rank that serves all take
  const double share = std::max(kLeastShare, results::cpu_share(row.rank_loads).value_or(1));
  const double least = share > kCrowded ? kLeastExcess : kLeastExcess / share;
  return serves_in_turn(row) ? std::max(least, kTurns_us) : least;
}

/// Its fastest chunk is further from the others' fastest than these are from each other. It takes
/// longer than half of the others' chunks, too, or a millisecond longer, which load does not add to
/// the fastest of many. So load is no difference, and half of a rate is.
bool is_apart(const PathTime& time, const Usual& usual) {
  constexpr double kLeastTimes = 1.5;
  constexpr double kLeastSpreads = 4;
  constexpr double kBeyondLoad_us = 1000;
  const double excess_us = time.min_us - usual.floors.usual;
  const bool beyond_load = time.min_us > usual.median_us || excess_us > kBeyondLoad_us;
  return beyond_load && time.min_us > kLeastTimes * usual.floors.usual &&
         excess_us > time.least_excess_us && excess_us > kLeastSpreads * usual.floors.spread;
}

/// A turn delays chunks by very different times; what delays the fastest one delays most by about
/// the same.
bool is_steady(const PathTime& time, const Usual& usual) {
  constexpr double kMostSpread = 2;
  return time.median_us - time.min_us < kMostSpread * (time.min_us - usual.floors.usual);
}

/// Its fastest chunk takes far longer than half of the others' chunks, which waited for turns, too.
/// So a rate is found whose queue grows from iteration to iteration. Of 1,680 paths of healthy runs
/// with 3 to 8 ranks on 2 CPUs beside 12 busy processes the highest took 1.2 times as long; the
/// paths behind a rate of 50 Mbit/s took 3 to 400 times.
bool is_beyond_turns(const PathTime& time, const Usual& usual) {
  constexpr double kTimes = 3;
  return time.min_us > kTimes * usual.median_us;
}

/// Ports from which several paths are so: a turn of a receiver delays one of them.
std::set<std::size_t> beyond_turns(const std::vector<PathTime>& row, const Usual& usual) {
  std::set<std::size_t> once;
  std::set<std::size_t> several;
  for (const PathTime& time : row) {
    if (is_beyond_turns(time, usual) && !once.insert(time.path.from).second)
      several.insert(time.path.from);
  }
  return several;
}

void add_mark(Marks& marks, std::size_t row, const PathTime& time, const Usual& usual,
              bool beyond) {
  if (time.samples < kFewestSamples) return;
  const bool min_slow =
      exceeds(time.min_us, usual.floors.usual, usual.floors.factor, time.least_excess_us) &&
      time.min_us >= usual.floors.after_gap && (!time.in_turn || beyond || is_steady(time, usual));
  const bool median_slow =
      !time.in_turn &&
      exceeds(time.median_us, usual.median_us, kSlowerMedian, time.least_excess_us) &&
      time.min_us > kRaisedFloor * usual.floors.usual;
  marks.data[time.path].push_back(
      {row, time, usual, min_slow, median_slow, !time.in_turn && is_apart(time, usual)});
  if (!time.ack_delay_us || time.in_turn) return;
  auto& [slow, all] = marks.ack_delays[{time.path.to, time.path.from}];
  ++all;
  if (exceeds(*time.ack_delay_us, std::max(usual.ack_delay_us, usual.floors.usual),
              usual.floors.factor, time.least_excess_us))
    ++slow;
}

/// Those that are alike: from host to host, or within one.
std::vector<PathTime> of_kind(const std::vector<PathTime>& row, bool within_host) {
  std::vector<PathTime> found;
  std::ranges::copy_if(row, std::back_inserter(found),
                       [&](const PathTime& time) { return time.within_host == within_host; });
  return found;
}

/// Of paths that have a mark in the row.
void set(Marks& marks, std::size_t row, bool Mark::*flag, const std::set<Path>& paths) {
  for (const Path& path : paths) {
    std::vector<Mark>& of_path = marks.data[path];
    if (!of_path.empty() && of_path.back().row == row) of_path.back().*flag = true;
  }
}

}  // namespace

Marks marks_of(std::span<const std::vector<PathTime>> rows, const Ports& ports) {
  Marks marks;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (const bool within_host : {false, true}) {
      const std::vector<PathTime> alike = of_kind(rows[row], within_host);
      if (alike.size() < 2) continue;
      const Usual usual = usual_of(alike, rows.size() == 1);
      const std::set<std::size_t> beyond = beyond_turns(alike, usual);
      for (const PathTime& time : alike)
        add_mark(marks, row, time, usual, beyond.contains(time.path.from));
    }
    set(marks, row, &Mark::beyond_twins, slower_than_twins(rows[row], ports));
    if (rows.size() > 1)
      set(marks, row, &Mark::beyond_hosts, slower_than_other_hosts(rows[row], ports));
  }
  return marks;
}

bool serves_in_turn(const results::CollectiveRow& row) {
  return row.algorithm == "direct" && row.point.root < 0;
}

std::vector<PathTime> path_times(const results::CollectiveRow& row, const Ports& ports) {
  const std::vector<results::EdgeTimes>& edges = row.edges;
  const bool one_clock = std::ranges::all_of(
      edges, [](const results::EdgeTimes& edge) { return edge.there.has_value(); });
  std::map<Path, PathTime> fastest;
  for (const results::EdgeTimes& edge : edges) {
    const auto from = ports.of_rank(edge.from, edge.rail, edge.plane);
    const auto to = ports.of_rank(edge.to, edge.to_rail, edge.to_plane);
    if (!from || !to || *from == *to) continue;
    const results::Quantiles& times = one_clock ? *edge.there : edge.round;
    PathTime time{.path = {*from, *to},
                  .within_host = ports[*from].host == ports[*to].host,
                  .bytes = edge.bytes,
                  .samples = edge.samples,
                  .min_us = times.min_us,
                  .median_us = times.p50_us,
                  .ack_delay_us = {},
                  .back = edge.back,
                  .least_excess_us = least_excess_us(row),
                  .in_turn = serves_in_turn(row)};
    if (one_clock) time.ack_delay_us = std::max(0.0, edge.round.min_us - edge.there->min_us);
    const auto [place, is_new] = fastest.emplace(time.path, time);
    if (!is_new && time.min_us < place->second.min_us) place->second = time;
  }
  std::vector<PathTime> times;
  times.reserve(fastest.size());
  for (const auto& [path, time] : fastest) times.push_back(time);
  return times;
}

}  // namespace railgauge::diagnosis
