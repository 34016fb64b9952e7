#pragma once

#include <chrono>
#include <string>

namespace railgauge::runner {

/// Times in which a thread that polls without a pause did not run: its process was stopped, or the
/// host is busy with other things. What tests show then is not the fabric's doing. One thread.
class PollGaps {
 public:
  /// To be called with every poll. Milliseconds since the last call, if that is too late for one
  /// who polls; else 0.
  [[nodiscard]] double next_ms();

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point last_ = Clock::now();
};

/// Whether an end of a test that did not run for so long may be why it was slow, or failed: a fifth
/// of its time; half a second if it failed, for which it waited in vain for longer.
[[nodiscard]] bool was_held_up(double stalled_ms, double test_ms, bool failed);

/// "the process on node7 did not run for 260 ms".
[[nodiscard]] std::string held_up_text(const std::string& host, double stalled_ms);

}  // namespace railgauge::runner
