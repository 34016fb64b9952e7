#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace railgauge::cluster {

/// Sees that this process stood still: stopped by a signal or a debugger, frozen or throttled by
/// its control group. A thread sleeps and wakes up 50 times a second; how late it comes is how long
/// the process stood still, less what it waited in the run queue and what the hypervisor gave to
/// other machines: neither a busy machine nor a busy hypervisor stops a process.
class Heartbeat {
 public:
  /// Throws std::system_error if there can be no thread.
  Heartbeat();

  /// The longest since the last call, or since the start; what lasts less than a beat of 20 ms is
  /// not seen, and what ended just now may be told by the next call. Any thread. Empty: the kernel
  /// does not say how long a thread waited for a processor (CONFIG_SCHED_INFO).
  [[nodiscard]] std::optional<std::chrono::nanoseconds> longest_stood_still();

 private:
  void run(const std::stop_token& stop);
  void take(std::chrono::nanoseconds still);

  std::mutex mutex_;
  std::optional<std::chrono::nanoseconds> longest_;
  std::jthread thread_;  // uses all of them
};

}  // namespace railgauge::cluster
