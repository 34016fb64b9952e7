#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace railgauge::topology {

/// Hardware threads by the operating system's numbers.
using CpuSet = std::set<int>;

/// Reads the kernel's list format (cpuset(7), "List format"): "0-3,8,10-11". Empty text is no cpu;
/// std::nullopt for text that is no such list.
std::optional<CpuSet> parse_cpu_list(std::string_view text);

/// Writes it: "0-3,8,10-11"; "" for none.
std::string cpu_list(const CpuSet& cpus);

/// Those that are in both.
CpuSet common(const CpuSet& left, const CpuSet& right);

}  // namespace railgauge::topology
