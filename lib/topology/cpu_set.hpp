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

/// How many of `count` go into each of several places: as even as possible, and spaced out where
/// there are fewer than places. Nowhere are there more than there is room for as long as there is
/// room elsewhere; what is too many for one goes where most room is left. `room` is not empty.
std::vector<int> distributed(int count, const std::vector<int>& room);

/// The cpus of one of several that share cores.
struct CpuShare {
  CpuSet cpus{};
  bool core_shared = false;  // another has hardware threads of the same core
  bool cpus_shared = false;  // another has the same hardware threads
};

/// Equal shares of cores, each with its hardware threads: whole cores if there are enough, else
/// hardware threads of their own if there are enough of these, else cpus that several share.
/// `cores` is not empty, nor any of them.
std::vector<CpuShare> shares_of(const std::vector<CpuSet>& cores, int count);

/// Where the threads of a rank that may run on the cpus `own` belong, each of which drives NICs
/// that the cpus `near` are near to. A thread is bound to the near ones among its rank's, if that
/// tells it from the rank, and if there is one for every thread that has the same; no cpus: it
/// stays where its rank is.
std::vector<CpuSet> thread_places(const CpuSet& own, const std::vector<CpuSet>& near);

/// How many of these cores have a hardware thread among the cpus; without cores that are known, how
/// many cpus there are.
std::size_t cores_of(const CpuSet& cpus, const std::vector<CpuSet>& cores);

/// Of a program that may run on allowed[program], with others: its share of the cores, rounded
/// down, if all that may run on any of its cpus take as many.
std::size_t share_of_cores(std::size_t program, const std::vector<CpuSet>& allowed,
                           const std::vector<CpuSet>& cores);

}  // namespace railgauge::topology
