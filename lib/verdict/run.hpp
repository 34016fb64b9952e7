#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "results/measurement.hpp"
#include "results/sweep_point.hpp"

// lib/verdict holds what figures are worth: published references, logs of other benchmarks,
// comparisons and policies. It must not know how anything was measured, and touches no device.

namespace railgauge::verdict {

using results::BufferMode;

/// The rail whose time is the longest, and by how much it is longer than the fastest's.
struct SlowestRail {
  int rail = 0;
  int plane = -1;  // of it; -1: it has only one
  double percent = 0;
};

/// One size in one buffer mode. What is not known is empty, and is never guessed.
struct Point {
  std::optional<std::uint64_t> size_bytes{};  // as nccl-tests counts it for the collective
  std::string type{};                         // "float"
  std::string op{};                           // "sum"; "none" if nothing is reduced
  std::string algorithm{};                    // "ring"
  BufferMode buffers = BufferMode::unstated;
  std::optional<double> time_us{};  // the median, if more than one number was given
  std::optional<double> algbw_gigabytes_per_second{};
  std::optional<double> busbw_gigabytes_per_second{};
  // Only results of ours have these.
  std::optional<double> min_us{};
  std::optional<double> p90_us{};
  std::optional<double> p999_us{};
  std::optional<measure::MedianInterval> median_interval{};
  std::optional<SlowestRail> slowest_rail{};  // empty: fewer than two rails
  std::optional<double> cpu_share{};          // of the ranks, on average (results::cpu_share)
  /// Of the time in which ranks had work, the part in which they had a CPU. Of starved ranks it is
  /// less than cpu_share: they sleep, too, until another that waits for a CPU has sent.
  std::optional<double> granted_share{};
};

/// Why nobody should strive for the figures of software devices (Run::not_a_target).
constexpr std::string_view kOfSoftware =
    "it ran on software devices: its figures say nothing about hardware";

/// The same, of runs with --reduce none.
constexpr std::string_view kOfUnreduced =
    "it moved data without reducing them (--reduce none): nothing was verified";

/// The same, of runs with --split.
constexpr std::string_view kOfGroups =
    "groups of ranks ran at the same time (--split): its figures are those of the slowest";

/// One execution: one collective, one set of ranks, one configuration.
struct Run {
  std::string name{};  // of a result of ours: its sweep point, as far as it varies
  std::optional<results::SweepPoint> point{};  // of a result of ours
  std::string collective{};                    // by its name in nccl-tests; empty: not known
  std::optional<int> nodes{};
  std::optional<int> ranks{};
  std::string split{};                 // of groups that ran at the same time: by which rule
  std::optional<int> group_ranks{};    // then: of each group; empty: not known
  std::optional<int> nics_per_node{};  // that this run used
  std::optional<double> line_rate_gigabits_per_second{};  // of one NIC, one direction
  /// What the memory of its slowest host carries (results::Host); empty: not known, or data are not
  /// in it.
  std::optional<double> memory_gigabytes_per_second{};
  std::optional<std::vector<std::string>> beside_nics{};  // as results::NicUse has it
  std::string library{};                                  // "NCCL 2.26.2"
  std::string settings{};                                 // in the words of the source
  std::string not_a_target{};  // why nobody should strive for these figures; empty: ordinary
  std::vector<Point> points{};
};

/// Where size, time, algbw and busbw of a run contradict each other, or the collective and its
/// ranks: "4M: algbw is 98.5 GB/s, but size over time 12.3". Empty if they do not. All may be
/// rounded, and bandwidths may be means where times are medians.
std::string why_inconsistent(const Run& run);

/// Throws std::runtime_error, which names the document, if one of its runs is inconsistent.
void refuse_inconsistent(const std::vector<Run>& runs, const std::string& name);

/// All that a point has but its figures.
using PointKey =
    std::tuple<std::optional<std::uint64_t>, std::string, std::string, std::string, BufferMode>;
[[nodiscard]] PointKey key_of(const Point& point);

/// One point for each size, type, op, algorithm and buffer mode: cycles of a sweep repeat them. The
/// repetition with the median time stands for all, of an even number the slower of the two in the
/// middle; the interval of its median spans those of all, since it has to hold for the next cycle
/// too. If one of them has no interval, it has none.
std::vector<Point> without_repetitions(const std::vector<Point>& points);

}  // namespace railgauge::verdict
