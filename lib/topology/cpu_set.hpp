#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::topology {

/// Hardware threads by the operating system's numbers.
using CpuSet = std::set<int>;

/// Reads the kernel's list format (cpuset(7), "List format"): "0-3,8,10-11". Empty text is no cpu;
/// std::nullopt for any other text. (hwloc_bitmap_list_sscanf takes "3-1", "-1" and "1a" for lists
/// without a cpu, so it cannot tell the user about a mistake.)
std::optional<CpuSet> parse_cpu_list(std::string_view text);

/// Writes it: "0-3,8,10-11"; "" for none.
std::string cpu_list(const CpuSet& cpus);

/// The intersection.
CpuSet common(const CpuSet& left, const CpuSet& right);

/// Whether a program has to share a cpu with another one, each of which may run on `allowed`: those
/// that compete with it, and it, are more than the cpus they may run on.
bool has_to_share(std::size_t program, const std::vector<CpuSet>& allowed);

}  // namespace railgauge::topology
