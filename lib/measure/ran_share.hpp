#pragma once

#include <chrono>
#include <string>

namespace railgauge::measure {

/// Which share of a time this thread ran: for what is missing of one that polls without a pause,
/// another had its processor, be it another program or a thread of its own. Time that a hypervisor
/// took may count as run. One thread.
class RanShare {
 public:
  /// The time begins now.
  RanShare();

  /// From 0 to 1, of the time until now.
  [[nodiscard]] double until_now() const;

 private:
  std::chrono::steady_clock::time_point began_;
  double ran_before_s_;  // of this thread, by CLOCK_THREAD_CPUTIME_ID
};

/// Whether what was measured meanwhile is that of a thread that ran all the time, but for a
/// twentieth.
[[nodiscard]] bool ran_all_the_time(double ran_share);

/// The rate at which it would have gone in all the time, if it was the processor that it waited
/// for: at least what a path carries, as some is under way while a thread is away. More than a
/// hundred times as fast nothing is taken to be.
[[nodiscard]] double rate_in_all_the_time(double rate, double ran_share);

/// "the processes at its ends ran for about 40 % of the time".
[[nodiscard]] std::string ran_text(double ran_share);

}  // namespace railgauge::measure
