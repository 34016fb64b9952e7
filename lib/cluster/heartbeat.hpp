#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace railgauge::cluster {

/// A thread woke up: when, and how long it had waited in the run queue until then, as read before
/// and after the clock. In between it may have waited, too.
struct Beat {
  std::chrono::steady_clock::time_point when{};
  std::chrono::nanoseconds queued_before{0};
  std::chrono::nanoseconds queued_after{0};
};

/// How late a beat came after the one before, of which every part that may have been spent in the
/// run queue is left out: nobody is accused of what a busy machine did.
[[nodiscard]] std::chrono::nanoseconds stood_still(const Beat& before, const Beat& now);

/// Sees that this process stood still: stopped by a signal or a debugger, or frozen. A thread
/// sleeps and wakes up 20 times a second, on any processor; how late it comes is how long the
/// process stood still, less what it waited in the run queue and what the hypervisor gave to other
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
  [[nodiscard]] std::optional<std::chrono::nanoseconds> longest_stood_still();

 private:
  void run(const std::stop_token& stop);
  void take(std::chrono::nanoseconds still);

  std::mutex mutex_;
  std::optional<std::chrono::nanoseconds> longest_;
  std::jthread thread_;  // uses all of them
};

}  // namespace railgauge::cluster
