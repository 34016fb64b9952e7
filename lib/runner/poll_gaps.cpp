#include "runner/poll_gaps.hpp"

namespace railgauge::runner {

double PollGaps::next_ms() {
  // What is under way bridges less.
  constexpr double kLateMs = 20;
  const auto now = Clock::now();
  const double gap_ms = std::chrono::duration<double, std::milli>(now - last_).count();
  last_ = now;
  return gap_ms > kLateMs ? gap_ms : 0;
}

bool was_held_up(double stalled_ms, double test_ms, bool failed) {
  constexpr double kShare = 0.2;
  constexpr double kToFailMs = 500;
  return stalled_ms > (failed ? kToFailMs : kShare * test_ms);
}

std::string held_up_text(const std::string& host, double stalled_ms) {
  return "the process on " + host + " did not run for " +
         std::to_string(static_cast<int>(stalled_ms)) + " ms";
}

}  // namespace railgauge::runner
