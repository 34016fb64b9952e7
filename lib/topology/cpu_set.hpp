#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

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

}  // namespace railgauge::topology
