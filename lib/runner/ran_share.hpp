#pragma once

#include <chrono>

namespace railgauge::runner {

/// Which share of a time this thread ran: what is missing of one that polls without a pause, others
/// had its processor for. Time that a hypervisor took may count as run. One thread.
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

}  // namespace railgauge::runner
