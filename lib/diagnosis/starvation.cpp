#include "diagnosis/starvation.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "diagnosis/path_times.hpp"
#include "measure/sizes.hpp"
#include "measure/statistics.hpp"
#include "normal/others.hpp"
#include "results/utc.hpp"

namespace railgauge::diagnosis {
namespace {

using finding::Evidence;
using normal::Others;

/// So much more of the time than others, ...
constexpr double kLeastMore = 0.25;
/// ... and so many times as much, or hardly any time left where others have some.
constexpr double kTimes = 2;

/// Or it gets so much less of the processor than others do of the time for which they want it, and
/// waits so much more.
constexpr double kLessGot = 0.6;
constexpr double kLeastMoreQueued = 0.1;
/// Where the others wait for so much of the time, too many ranks share too few processors, and who
/// waits most is chance ...
constexpr double kCrowded = 0.7;
/// ... unless each of its waits is so many times as long. Of 250 runs the highest was 2.8, with one
/// rank at a low priority 14 and 21.
constexpr double kLongerWaits = 5;

struct Share {
  double ran = 0;
  double queued = 0;
  double got = 1;      // of the time for which it wanted a processor
  double wait_us = 0;  // each time that it waited for one
  double absent = 0;   // neither ran nor waited for one nor slept, or slept too long: stopped
};

/// For how long it neither ran nor waited for a processor, nor slept because it had nothing to do.
double absent_us_of(const results::RankLoad& load) {
  const double known_us = load.ran_us + load.queued_us.value_or(load.wall_us);
  return std::max(0.0, load.wall_us - known_us - load.slept_us + load.descheduled_us);
}

/// A rank that was stopped, while the others waited for it.
struct Stop {
  int rank = 0;
  double us = 0;
  const results::CollectiveRow* row = nullptr;
};

/// The rank of a row that was stopped for long while no other was.
std::optional<Stop> stopped_in(const results::CollectiveRow& row) {
  constexpr double kLeast_us = 300'000;
  constexpr double kTimesOthers = 4;  // what any other rank did
  constexpr double kOfIteration = 0.5;
  std::vector<double> absent_us;
  absent_us.reserve(row.rank_loads.size());
  for (const results::RankLoad& load : row.rank_loads) absent_us.push_back(absent_us_of(load));
  if (absent_us.size() < 2) return std::nullopt;
  const auto most = std::ranges::max_element(absent_us);
  const Stop found{static_cast<int>(most - absent_us.begin()), *most, &row};
  *most = 0;
  double longest_us = 0;
  for (const results::Measured& one : results::measurements_of(row))
    longest_us = std::max(longest_us, one.measurement.time.max_us);
  const bool alone = found.us > kTimesOthers * std::ranges::max(absent_us);
  if (!alone || found.us < kLeast_us) return std::nullopt;
  return longest_us > kOfIteration * found.us ? std::optional(found) : std::nullopt;
}

Share share_of(std::span<const std::vector<results::RankLoad>> rows, std::size_t rank) {
  double wall_us = 0;
  double queued_us = 0;
  double ran_us = 0;
  double absent_us = 0;
  double waits = 1;
  for (const auto& row : rows) {
    if (rank >= row.size()) continue;
    const results::RankLoad& load = row[rank];
    wall_us += load.wall_us;
    ran_us += load.ran_us;
    queued_us += load.queued_us.value_or(0);
    waits += static_cast<double>(load.preemptions);
    if (!load.queued_us) continue;
    absent_us += absent_us_of(load);
  }
  if (wall_us <= 0) return {};
  const double wanted_us = ran_us + queued_us;
  return {.ran = ran_us / wall_us,
          .queued = queued_us / wall_us,
          .got = wanted_us > 0 ? ran_us / wanted_us : 1,
          .wait_us = queued_us / waits,
          .absent = absent_us / wall_us};
}

std::vector<Share> shares_of(std::span<const std::vector<results::RankLoad>> rows) {
  std::vector<Share> shares;
  const std::size_t ranks = rows.empty() ? 0 : rows[0].size();
  for (std::size_t rank = 0; rank < ranks; ++rank) shares.push_back(share_of(rows, rank));
  return shares;
}

Others others_of(const std::vector<Share>& shares, double Share::*part) {
  std::vector<double> all;
  all.reserve(shares.size());
  for (const Share& one : shares) all.push_back(one.*part);
  return Others(std::move(all));
}

Evidence compared(std::string metric, std::string unit, double own, double others) {
  return {.metric = std::move(metric),
          .unit = std::move(unit),
          .observed = own,
          .expected = others,
          .expected_from = "median of the other ranks"};
}

Evidence of_time(std::string metric, double own, double others) {
  constexpr double kPercent = 100;
  return compared(std::move(metric), "% of the time", kPercent * own, kPercent * others);
}

bool is_apart(double share, double others) {
  const bool times = share > kTimes * others || 1 - share < (1 - others) / (2 * kTimes);
  return share > others + kLeastMore && times;
}

/// Whether some ranks have more to do than others.
bool has_roles(const results::CollectiveRow& row) {
  return row.point.root >= 0 || row.algorithm.find("tree") != std::string::npos ||
         serves_in_turn(row);
}

/// Those that compute while the others sleep, because they wait for them. Their own time may not
/// show it: what a signal handler takes of a wait counts as waiting. Where ranks poll, all run, and
/// nobody is named. Of 250 runs without such a rank the highest ran 1.8 times as much as the
/// others; ranks that computed for 10 of 11 ms ran 10 times as much.
std::vector<LateRank> always_running(const std::vector<results::CollectiveRow>& rows) {
  constexpr std::size_t kFewestRanks = 3;
  constexpr double kNearlyAlways = 0.75;
  constexpr double kTimesOthers = 4;
  std::vector<std::vector<results::RankLoad>> loads;
  for (const results::CollectiveRow& row : rows) {
    if (!has_roles(row) && row.rank_loads.size() >= kFewestRanks) loads.push_back(row.rank_loads);
  }
  const std::vector<Share> shares = shares_of(loads);
  const Others others = others_of(shares, &Share::ran);
  std::vector<LateRank> found;
  for (std::size_t rank = 0; rank < shares.size(); ++rank) {
    const double ran = shares[rank].ran;
    const double usual = others.of(rank);
    if (ran < kNearlyAlways || ran < kTimesOthers * usual) continue;
    found.push_back({static_cast<int>(rank), of_time("ran on its CPU", ran, usual)});
  }
  return found;
}

/// Those that measure::find_straggler() names nearly always.
std::vector<LateRank> slow_by_own_time(const std::vector<results::CollectiveRow>& rows) {
  constexpr std::size_t kFewestMeasurements = 4;
  constexpr double kNearlyAlways = 0.75;
  std::map<std::size_t, std::vector<double>> found;
  std::size_t all = 0;
  for (const results::CollectiveRow& row : rows) {
    if (has_roles(row)) continue;
    for (const results::Measured& one : results::measurements_of(row)) {
      ++all;
      const auto& own_us = one.measurement.rank_own_us;
      const auto slow = measure::find_straggler(own_us, one.measurement.time.p50_us);
      if (slow) found[slow->rank].push_back(slow->own_us / std::max(1.0, slow->others_us));
    }
  }
  std::vector<LateRank> ranks;
  for (const auto& [rank, times] : found) {
    if (times.size() < kFewestMeasurements) continue;
    if (static_cast<double>(times.size()) < kNearlyAlways * static_cast<double>(all)) continue;
    ranks.push_back({static_cast<int>(rank),
                     {.metric = "time outside waits",
                      .unit = "x the other ranks",
                      .observed = measure::median(times),
                      .against = times.size(),
                      .of = all,
                      .text = "measurements"}});
  }
  return ranks;
}

}  // namespace

std::vector<LateRank> find_starved_ranks(std::span<const std::vector<results::RankLoad>> rows) {
  std::vector<LateRank> starved;
  const std::vector<Share> shares = shares_of(rows);
  const Others queued = others_of(shares, &Share::queued);
  const Others got = others_of(shares, &Share::got);
  const Others absent = others_of(shares, &Share::absent);
  const Others waits = others_of(shares, &Share::wait_us);
  for (std::size_t rank = 0; rank < shares.size(); ++rank) {
    const Share& own = shares[rank];
    const double usual = queued.of(rank);
    const bool stopped = is_apart(own.absent, absent.of(rank));
    const bool less = own.got < kLessGot * got.of(rank) && own.queued > usual + kLeastMoreQueued;
    const bool waited = is_apart(own.queued, usual) || (usual < kCrowded && less);
    const bool longer = own.queued > usual && own.wait_us > kLongerWaits * waits.of(rank);
    const auto add = [&](Evidence evidence) {
      starved.push_back({static_cast<int>(rank), std::move(evidence), stopped});
    };
    if (stopped) {
      add(of_time("stopped or throttled", own.absent, absent.of(rank)));
    } else if (waited) {
      add(of_time("waited for a CPU", own.queued, usual));
    } else if (usual >= kCrowded && longer) {
      add(compared("each wait for a CPU", "us", own.wait_us, waits.of(rank)));
    }
  }
  return starved;
}

std::vector<LateRank> find_stopped_ranks(const std::vector<results::CollectiveRow>& rows) {
  constexpr double kMicro = 1e6;
  std::map<int, Stop> longest;
  for (const results::CollectiveRow& row : rows) {
    const auto found = stopped_in(row);
    if (!found) continue;
    Stop& known = longest[found->rank];
    if (found->us > known.us) known = *found;
  }
  std::vector<LateRank> stopped;
  stopped.reserve(longest.size());
  for (const auto& [rank, stop] : longest) {
    stopped.push_back({rank,
                       {.metric = "stopped",
                        .unit = "s",
                        .observed = stop.us / kMicro,
                        .text = "in the row of " + measure::format_size(stop.row->size_bytes) +
                                " that began at " + results::utc(stop.row->measured)},
                       true});
  }
  return stopped;
}

std::vector<LateRank> find_slow_ranks(const std::vector<results::CollectiveRow>& rows) {
  std::vector<LateRank> slow = slow_by_own_time(rows);
  for (LateRank& one : always_running(rows)) {
    if (std::ranges::count(slow, one.rank, &LateRank::rank) == 0) slow.push_back(std::move(one));
  }
  return slow;
}

}  // namespace railgauge::diagnosis
