#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "job/communicator.hpp"
#include "results/rank_load.hpp"

namespace railgauge::cluster {

/// Time on processors, as /proc/stat has it, over all of a host.
struct HostTime {
  double busy_s = 0;
  double stolen_s = 0;
};

/// The first line of /proc/stat (Documentation/filesystems/proc.rst, 1.7), in ticks of 1/`hertz`;
/// empty if it is not one. Time of guests is contained in that of user and nice.
[[nodiscard]] std::optional<HostTime> read_host_time(std::string_view stat, double hertz);

/// Now, over all of this host; empty if the kernel does not say.
[[nodiscard]] std::optional<HostTime> host_time();

/// What this thread and the host's processors do from one moment to the next.
class RankWatch {
 public:
  RankWatch() { restart(); }

  void restart();
  /// For so long the rank slept, of which it did not come back for so long.
  void add_sleep(std::chrono::nanoseconds slept, std::chrono::nanoseconds held_up) {
    slept_ += slept;
    held_up_ += held_up;
  }
  /// Since restart(). The rank number is left to the caller.
  [[nodiscard]] results::RankLoad now() const;

 private:
  struct Reading {
    std::chrono::steady_clock::time_point when;
    double ran_us = 0;
    std::optional<double> queued_us;
    std::uint64_t preemptions = 0;
    std::uint64_t major_faults = 0;
    std::optional<HostTime> host;
  };
  [[nodiscard]] static Reading read();

  Reading begin_;
  std::chrono::nanoseconds slept_{0};
  std::chrono::nanoseconds held_up_{0};
};

/// Collective: of every rank, on every rank.
[[nodiscard]] std::vector<results::RankLoad> gather(job::Communicator& communicator,
                                                    const results::RankLoad& own);

/// Tells whether two processes read the same CLOCK_MONOTONIC: that of one boot of one kernel, in
/// one time namespace (Documentation/admin-guide/sysctl/kernel.rst, boot_id; time_namespaces(7)).
[[nodiscard]] std::uint64_t clock_identity();

}  // namespace railgauge::cluster
