#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace railgauge::measure {

/// Which share of a time this thread ran: for what is missing of one that polls without a pause,
/// another had its processor, be it another program or a thread of its own. Time that a hypervisor
/// took may count as run. One thread.
class CpuShare {
 public:
  /// The time begins now.
  CpuShare();

  /// From 0 to 1, of the time until now.
  [[nodiscard]] double until_now() const;

 private:
  std::chrono::steady_clock::time_point began_;
  double ran_before_s_;  // of this thread, by CLOCK_THREAD_CPUTIME_ID
};

/// The second number of a thread's schedstat (Documentation/scheduler/sched-stats.rst): nanoseconds
/// for which it was ready to run and waited for a processor.
[[nodiscard]] std::optional<double> read_queued_us(std::string_view schedstat);
/// Of the calling thread, since it began; empty if the kernel does not say.
[[nodiscard]] std::optional<double> queued_us_of_this_thread();

/// The share of a time in which no thread of this process waited for a CPU, their waits added up:
/// what they play together, as those of a software device, was as late as that. Unlike CpuShare it
/// says something of threads that sleep, too.
class ProcessCpuShare {
 public:
  /// The time begins now.
  ProcessCpuShare();

  /// From 0 to 1, of the time until now; empty if the kernel does not say.
  [[nodiscard]] std::optional<double> until_now() const;

 private:
  std::chrono::steady_clock::time_point began_;
  std::optional<double> queued_before_us_;
};

/// Whether what was measured meanwhile is that of a thread that ran all the time, but for a
/// twentieth.
[[nodiscard]] bool had_full_share(double cpu_share);

/// Of a measurement of that many seconds, the part in which its processes can have made progress:
/// no more than `cpu_share`, and nothing of a stall. A stall counts twice, as what was under way is
/// sent again after a time-out that grew meanwhile.
[[nodiscard]] double share_beside_stall(double cpu_share, double stalled_ms, double seconds);

/// The rate at which it would have gone in all the time, if it was the processor that it waited
/// for: at least what a path carries, as some is under way while a thread is away. More than a
/// hundred times as fast nothing is taken to be.
[[nodiscard]] double rate_at_full_share(double rate, double cpu_share);

/// "the endpoint processes had a CPU for about 40 % of the time".
[[nodiscard]] std::string cpu_share_text(double cpu_share);

}  // namespace railgauge::measure
