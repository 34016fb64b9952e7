#include "diagnosis/starvation.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>

#include "diagnosis/path_times.hpp"
#include "measure/statistics.hpp"

namespace railgauge::diagnosis {
namespace {

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
    absent_us += std::max(0.0, load.wall_us - load.ran_us - *load.queued_us - load.slept_us);
  }
  if (wall_us <= 0) return {};
  const double wanted_us = ran_us + queued_us;
  return {queued_us / wall_us, wanted_us > 0 ? ran_us / wanted_us : 1, absent_us / wall_us};
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

bool stands_out(double share, double others) {
  const bool times = share > kTimes * others || 1 - share < (1 - others) / (2 * kTimes);
  return share > others + kLeastMore && times;
}

/// Whether some ranks have more to do than others.
bool has_roles(const results::CollectiveRow& row) {
  return row.point.root >= 0 || row.algorithm.find("tree") != std::string::npos ||
         serves_in_turn(row);
}

}  // namespace

std::vector<StarvedRank> find_starved_ranks(std::span<const std::vector<results::RankLoad>> rows) {
  std::vector<StarvedRank> starved;
  const std::size_t ranks = rows.empty() ? 0 : rows[0].size();
  std::vector<Share> shares;
  for (std::size_t rank = 0; rank < ranks; ++rank) shares.push_back(share_of(rows, rank));
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    std::vector<double> queued;
    std::vector<double> got;
    std::vector<double> absent;
    for (std::size_t other = 0; other < ranks; ++other) {
      if (other == rank) continue;
      queued.push_back(shares[other].queued);
      got.push_back(shares[other].got);
      absent.push_back(shares[other].absent);
    }
    const bool stopped = stands_out(shares[rank].absent, median(absent));
    const bool spare = median(queued) < kCrowded;
    const bool waits = stands_out(shares[rank].queued, median(queued)) ||
                       (spare && shares[rank].got < kLessGot * median(got) &&
                        shares[rank].queued > median(queued) + kLeastMoreQueued);
    if (!stopped && !waits) continue;
    starved.push_back({static_cast<int>(rank), stopped ? shares[rank].absent : shares[rank].queued,
                       median(stopped ? absent : queued), stopped});
  }
  return starved;
}

std::vector<SlowRank> find_slow_ranks(const std::vector<results::CollectiveRow>& rows) {
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
  std::vector<SlowRank> ranks;
  for (const auto& [rank, times] : found) {
    if (times.size() < kFewest) continue;
    if (static_cast<double>(times.size()) < kNearlyAlways * static_cast<double>(all)) continue;
    ranks.push_back({static_cast<int>(rank), median(times), times.size(), all});
  }
  return ranks;
}

}  // namespace railgauge::diagnosis
