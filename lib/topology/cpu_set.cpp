#include "topology/cpu_set.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <numeric>

namespace railgauge::topology {
namespace {

// The kernel's own limit is 8192 (CONFIG_NR_CPUS); beyond it a list is a mistake, or an attack.
constexpr int kMostCpus = 1 << 16;

std::optional<int> cpu_number(std::string_view text) {
  int number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = read.ec == std::errc{} && read.ptr == text.data() + text.size();
  return whole && number >= 0 && number < kMostCpus ? std::optional(number) : std::nullopt;
}

bool add_range(std::string_view range, CpuSet& cpus) {
  const std::size_t dash = range.find('-');
  const auto first = cpu_number(range.substr(0, dash));
  const auto last = dash == std::string_view::npos
                        ? first
                        : cpu_number(range.substr(std::min(dash + 1, range.size())));
  if (!first || !last || *last < *first) return false;
  for (int cpu = *first; cpu <= *last; ++cpu) cpus.insert(cpu);
  return true;
}

}  // namespace

std::optional<CpuSet> parse_cpu_list(std::string_view text) {
  CpuSet cpus;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    if (!add_range(text.substr(0, comma), cpus)) return std::nullopt;
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    if (text.empty()) return std::nullopt;
  }
  return cpus;
}

std::string cpu_list(const CpuSet& cpus) {
  std::string list;
  for (auto cpu = cpus.begin(); cpu != cpus.end();) {
    const int first = *cpu;
    int last = first;
    while (++cpu != cpus.end() && *cpu == last + 1) ++last;
    list += (list.empty() ? "" : ",") + std::to_string(first);
    if (last > first) list += "-" + std::to_string(last);
  }
  return list;
}

CpuSet common(const CpuSet& left, const CpuSet& right) {
  CpuSet both;
  std::ranges::set_intersection(left, right, std::inserter(both, both.end()));
  return both;
}

bool has_to_share(std::size_t program, const std::vector<CpuSet>& allowed) {
  CpuSet cpus = allowed.at(program);
  std::size_t programs = 1;
  for (std::size_t other = 0; other < allowed.size(); ++other) {
    if (other == program || common(allowed[program], allowed[other]).empty()) continue;
    cpus.insert(allowed[other].begin(), allowed[other].end());
    ++programs;
  }
  return programs > cpus.size();
}

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

std::vector<CpuSet> thread_places(const CpuSet& own, const std::vector<CpuSet>& near) {
  std::vector<CpuSet> places;
  places.reserve(near.size());
  for (const CpuSet& one : near) places.push_back(common(own, one));
  const std::vector<CpuSet> wanted = places;
  for (CpuSet& place : places) {
    const auto threads = static_cast<std::size_t>(std::ranges::count(wanted, place));
    if (place == own || place.size() < threads) place.clear();
  }
  return places;
}

std::size_t cores_of(const CpuSet& cpus, const std::vector<CpuSet>& cores) {
  if (cores.empty()) return cpus.size();
  return static_cast<std::size_t>(std::ranges::count_if(
      cores, [&](const CpuSet& core) { return !common(core, cpus).empty(); }));
}

std::size_t share_of_cores(std::size_t program, const std::vector<CpuSet>& allowed,
                           const std::vector<CpuSet>& cores) {
  const auto meets = [&](const CpuSet& other) { return !common(other, allowed[program]).empty(); };
  const auto programs = static_cast<std::size_t>(std::ranges::count_if(allowed, meets));
  return cores_of(allowed[program], cores) / std::max<std::size_t>(programs, 1);
}

}  // namespace railgauge::topology
