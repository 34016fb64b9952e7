#include "results/collective.hpp"

#include <algorithm>
#include <cinttypes>
#include <optional>
#include <tuple>
#include <utility>

#include "finding/words.hpp"
#include "results/table.hpp"

namespace railgauge::results {
namespace {

/// All that has to be the same, rails, algorithm and size aside.
auto all_but_algorithm_of(const CollectiveRow& row) {
  SweepPoint point = row.point;
  point.rails.clear();
  return std::tuple(row.type, row.op, row.cycle, point);
}

/// And the algorithm.
auto axes_of(const CollectiveRow& row) {
  return std::pair(row.algorithm, all_but_algorithm_of(row));
}

bool is_shared(const CollectiveRow& row) {
  return !row.point.own_rails && row.out_of_place;
}

/// Of one rail by itself, where everything else is as in `together`.
std::optional<double> busbw_alone(const std::vector<CollectiveRow>& rows,
                                  const CollectiveRow& together, unsigned rail) {
  const auto found = std::ranges::find_if(rows, [&](const CollectiveRow& row) {
    return is_shared(row) && row.point.rails == std::vector{rail} &&
           row.size_bytes == together.size_bytes && axes_of(row) == axes_of(together);
  });
  if (found == rows.end()) return std::nullopt;
  return found->out_of_place->busbw_gigabytes_per_second;
}

std::optional<RailSum> sum_of(const std::vector<CollectiveRow>& rows,
                              const CollectiveRow& together) {
  if (together.point.rails.size() < 2 || !is_shared(together)) return std::nullopt;
  RailSum sum{&together, 0, together.out_of_place->busbw_gigabytes_per_second};
  for (const unsigned rail : together.point.rails) {
    const auto alone = busbw_alone(rows, together, rail);
    if (!alone) return std::nullopt;
    sum.alone_gigabytes_per_second += *alone;
  }
  return sum;
}

/// Of algorithms that were chosen by size, only that of the largest size has a bandwidth to tell
/// of.
void forget_small_sizes(std::vector<RailSum>& sums) {
  std::vector<const CollectiveRow*> rows;
  rows.reserve(sums.size());
  for (const RailSum& sum : sums) rows.push_back(sum.together);
  std::erase_if(sums, [&](const RailSum& sum) {
    const CollectiveRow& own = *sum.together;
    return std::ranges::any_of(rows, [&](const CollectiveRow* row) {
      return row->size_bytes > own.size_bytes && row->point.rails == own.point.rails &&
             all_but_algorithm_of(*row) == all_but_algorithm_of(own);
    });
  });
}

}  // namespace

std::vector<Measured> measurements_of(const CollectiveRow& row) {
  std::vector<Measured> all;
  if (row.out_of_place) all.push_back({BufferMode::out_of_place, *row.out_of_place});
  if (row.in_place) all.push_back({BufferMode::in_place, *row.in_place});
  return all;
}

std::string verified_share(const std::vector<CollectiveRow>& rows) {
  std::uint64_t verified = 0;
  std::uint64_t timed = 0;
  for (const CollectiveRow& row : rows) {
    for (const Measured& measured : measurements_of(row)) {
      verified += measured.measurement.verified_iterations;
      timed += measured.measurement.time.n;
    }
  }
  if (timed == 0) return "";
  return std::to_string(verified) + " of " + std::to_string(timed) + " timed iterations (" +
         finding::percent(static_cast<double>(verified) / static_cast<double>(timed)) + ")";
}

std::vector<RailSum> rail_sums(const std::vector<CollectiveRow>& rows) {
  std::vector<RailSum> sums;
  for (const CollectiveRow& row : rows) {
    const auto sum = sum_of(rows, row);
    if (!sum) continue;
    const auto same = std::ranges::find_if(sums, [&](const RailSum& other) {
      return other.together->point.rails == row.point.rails &&
             axes_of(*other.together) == axes_of(row);
    });
    if (same == sums.end()) {
      sums.push_back(*sum);
    } else if (row.size_bytes > same->together->size_bytes) {
      *same = *sum;
    }
  }
  forget_small_sizes(sums);
  return sums;
}

std::string line_of(const RailSum& sum) {
  constexpr double kPercent = 100;
  constexpr double kShared = 90;  // percent; less is more than noise
  const double alone = sum.alone_gigabytes_per_second;
  const double percent =
      alone > 0 ? kPercent * sum.together_gigabytes_per_second / alone : kPercent;
  const CollectiveRow& row = *sum.together;
  return printed(
      "# Rails %s, %s, %" PRIu64
      " bytes: %.2f GB/s together, %.2f the sum of each by "
      "itself: %.0f %%%s\n",
      joined(row.point.rails).c_str(), row.algorithm.c_str(), row.size_bytes,
      sum.together_gigabytes_per_second, alone, percent,
      percent < kShared ? ", they share something, or wait for the slowest of them" : "");
}

bool forget_oldest_cycles(std::vector<CollectiveRow>& rows, std::size_t most) {
  bool any = false;
  while (!rows.empty() && rows.front().cycle != rows.back().cycle) {
    const std::uint64_t oldest = rows.front().cycle;
    const auto next =
        std::ranges::find_if(rows, [&](const CollectiveRow& row) { return row.cycle != oldest; });
    if (rows.end() - next < static_cast<std::ptrdiff_t>(most)) break;
    rows.erase(rows.begin(), next);
    any = true;
  }
  return any;
}

}  // namespace railgauge::results
