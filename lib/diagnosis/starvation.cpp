#include "diagnosis/starvation.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "diagnosis/path_times.hpp"
#include "measure/sizes.hpp"
#include "measure/statistics.hpp"
#include "normal/others.hpp"
#include "results/utc.hpp"

namespace railgauge::diagnosis {
namespace {

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
/// waits most is chance.
constexpr double kCrowded = 0.7;

struct Share {
  double queued = 0;
  double got = 1;  // of the time for which it wanted a processor
  double absent =
      0;  // neither ran nor waited for a processor nor slept, or slept too long: stopped
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
  for (const auto& row : rows) {
    if (rank >= row.size()) continue;
    const results::RankLoad& load = row[rank];
    wall_us += load.wall_us;
    ran_us += load.ran_us;
    queued_us += load.queued_us.value_or(0);
    if (!load.queued_us) continue;
    absent_us += absent_us_of(load);
  }
  if (wall_us <= 0) return {};
  const double wanted_us = ran_us + queued_us;
  return {queued_us / wall_us, wanted_us > 0 ? ran_us / wanted_us : 1, absent_us / wall_us};
}

Others others_of(const std::vector<Share>& shares, double Share::*part) {
  std::vector<double> all;
  all.reserve(shares.size());
  for (const Share& one : shares) all.push_back(one.*part);
  return Others(std::move(all));
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

}  // namespace

std::vector<LateRank> find_starved_ranks(std::span<const std::vector<results::RankLoad>> rows) {
  constexpr double kPercent = 100;
  std::vector<LateRank> starved;
  const std::size_t ranks = rows.empty() ? 0 : rows[0].size();
  std::vector<Share> shares;
  for (std::size_t rank = 0; rank < ranks; ++rank) shares.push_back(share_of(rows, rank));
  const Others queued = others_of(shares, &Share::queued);
  const Others got = others_of(shares, &Share::got);
  const Others absent = others_of(shares, &Share::absent);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const Share& own = shares[rank];
    const double usual = queued.of(rank);
    const bool stopped = is_apart(own.absent, absent.of(rank));
    const bool waits =
        is_apart(own.queued, usual) || (usual < kCrowded && own.got < kLessGot * got.of(rank) &&
                                        own.queued > usual + kLeastMoreQueued);
    if (!stopped && !waits) continue;
    starved.push_back({static_cast<int>(rank),
                       {.metric = stopped ? "stopped or throttled" : "waited for a CPU",
                        .unit = "% of the time",
                        .observed = kPercent * (stopped ? own.absent : own.queued),
                        .expected = kPercent * (stopped ? absent.of(rank) : usual),
                        .expected_from = "median of the other ranks"},
                       stopped});
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
  constexpr std::size_t kFewest = 4;
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
    if (times.size() < kFewest) continue;
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

}  // namespace railgauge::diagnosis
