#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace railgauge::measure {

/// The second number of a thread's schedstat (Documentation/scheduler/sched-stats.rst): nanoseconds
/// for which it was ready to run and waited for a processor.
[[nodiscard]] std::optional<double> read_queued_us(std::string_view schedstat);
/// Of the calling thread, since it began; empty if the kernel does not say.
[[nodiscard]] std::optional<double> queued_us_of_this_thread();
/// Of all threads that this process has now, added up.
[[nodiscard]] std::optional<double> queued_us_of_all_threads();

/// For which share of a time the threads of this process, added up, waited for a processor: what
/// they play together, as those of a software device, was as late as that. Unlike RanShare it
/// says something of threads that sleep, too.
class QueuedShare {
 public:
  /// The time begins now.
  QueuedShare();

  /// From 0 to 1, of the time until now; empty if the kernel does not say.
  [[nodiscard]] std::optional<double> until_now() const;

 private:
  std::chrono::steady_clock::time_point began_;
  std::optional<double> queued_before_us_;
};

}  // namespace railgauge::measure
