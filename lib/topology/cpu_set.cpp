#include "topology/cpu_set.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

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

}  // namespace railgauge::topology
