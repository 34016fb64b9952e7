#include "topology/cpu_shares.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace railgauge::topology {
namespace {

/// Where the i-th of `parts` equal parts of [0, n) begins.
int begin_of(int i, int parts, int n) {
  return static_cast<int>(static_cast<long>(i) * n / parts);
}

std::vector<int> evenly(int count, int places) {
  std::vector<int> counts(static_cast<std::size_t>(places), 0);
  for (int i = 0; i < count; ++i) ++counts[static_cast<std::size_t>(begin_of(i, count, places))];
  return counts;
}

/// Of [0, cores), those of the i-th of `count`, which are at most as many.
CpuShare whole_cores(const std::vector<CpuSet>& cores, int i, int count) {
  const int all = static_cast<int>(cores.size());
  CpuShare share;
  for (int core = begin_of(i, count, all); core < begin_of(i + 1, count, all); ++core) {
    const CpuSet& threads = cores[static_cast<std::size_t>(core)];
    share.cpus.insert(threads.begin(), threads.end());
  }
  return share;
}

/// Those of one core, of which several have parts.
void share_core(const CpuSet& threads, int count, std::vector<CpuShare>& shares) {
  const int all = static_cast<int>(threads.size());
  const auto first = [&](int i) { return begin_of(i, count, all); };
  for (int i = 0; i < count; ++i) {
    const int end = std::max(first(i + 1), first(i) + 1);
    const bool shared = first(i + 1) == first(i) || (i > 0 && first(i - 1) == first(i));
    shares.push_back({{std::next(threads.begin(), first(i)), std::next(threads.begin(), end)},
                      count > 1,
                      shared});
  }
}

}  // namespace

std::vector<int> distributed(int count, const std::vector<int>& room) {
  std::vector<int> counts = evenly(count, static_cast<int>(room.size()));
  const auto left = [&](std::size_t place) { return room[place] - counts[place]; };
  std::vector<std::size_t> places(room.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  while (true) {
    const std::size_t fullest = *std::ranges::min_element(places, {}, left);
    const std::size_t freest = *std::ranges::max_element(places, {}, left);
    if (left(fullest) >= 0 || left(freest) <= 0) return counts;
    --counts[fullest];
    ++counts[freest];
  }
}

std::vector<CpuShare> shares_of(const std::vector<CpuSet>& cores, int count) {
  std::vector<CpuShare> shares;
  if (count <= static_cast<int>(cores.size())) {
    for (int i = 0; i < count; ++i) shares.push_back(whole_cores(cores, i, count));
    return shares;
  }
  std::vector<int> room;
  room.reserve(cores.size());
  for (const CpuSet& core : cores) room.push_back(static_cast<int>(core.size()));
  const std::vector<int> counts = distributed(count, room);
  for (std::size_t core = 0; core < cores.size(); ++core) {
    share_core(cores[core], counts[core], shares);
  }
  return shares;
}

}  // namespace railgauge::topology
