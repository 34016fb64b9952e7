#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string_view>
#include <thread>
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

/// What this thread and the host's processors do from one moment to the next.
class RankWatch {
 public:
  RankWatch() { restart(); }

  void restart();
  /// For so long the rank slept, of which it did not come back for so long.
  void add_sleep(std::chrono::nanoseconds slept, std::chrono::nanoseconds descheduled) {
    slept_ += slept;
    descheduled_ += descheduled;
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
  std::chrono::nanoseconds descheduled_{0};
};

/// Collective: of every rank, on every rank.
[[nodiscard]] std::vector<results::RankLoad> gather(job::Communicator& communicator,
                                                    const results::RankLoad& own);

/// Tells whether two processes read the same CLOCK_MONOTONIC: that of one boot of one kernel, in
/// one time namespace (Documentation/admin-guide/sysctl/kernel.rst, boot_id; time_namespaces(7)).
[[nodiscard]] std::uint64_t clock_identity();

/// A thread woke up: when, and how long it had waited in the run queue until then, as read before
/// and after the clock. In between it may have waited, too.
struct Beat {
  std::chrono::steady_clock::time_point when{};
  std::chrono::nanoseconds queued_before{0};
  std::chrono::nanoseconds queued_after{0};
};

/// How late a beat came after the one before, of which every part that may have been spent in the
/// run queue is left out: nobody is accused of what a busy machine did.
[[nodiscard]] std::chrono::nanoseconds descheduled_time(const Beat& before, const Beat& now);

/// Sees that this process was descheduled: stopped by a signal or a debugger, or frozen. A thread
/// sleeps and wakes up 20 times a second, on any processor; how late it comes is how long the
/// process was, less what it waited in the run queue and what the hypervisor gave to other
/// machines: neither a busy machine nor a busy hypervisor stops a process. Linux counts throttling
/// by a control group's quota as waiting in the run queue, so that is not seen. Costs 0.25 % of a
/// core (50 ms in 20 s, on a virtual machine).
class Heartbeat {
 public:
  /// Throws std::system_error if there can be no thread.
  Heartbeat();

  /// The longest since the last call, or since the start; what lasts less than a beat of 50 ms is
  /// not seen, of the rest up to a beat is missing, and what ended just now may be told by the next
  /// call. Any thread. Empty: the kernel does not say how long a thread waited for a processor
  /// (CONFIG_SCHED_INFO).
  [[nodiscard]] std::optional<std::chrono::nanoseconds> longest_descheduled();

 private:
  void run(const std::stop_token& stop);
  void take(std::chrono::nanoseconds still);

  std::mutex mutex_;
  std::optional<std::chrono::nanoseconds> longest_;
  std::jthread thread_;  // uses all of them
};

}  // namespace railgauge::cluster
