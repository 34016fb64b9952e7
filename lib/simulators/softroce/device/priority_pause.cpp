#include "softroce/device/priority_pause.hpp"

#include <algorithm>
#include <cmath>

namespace railgauge::softroce {
namespace {

constexpr double kQuantumBits = 512;

}  // namespace

bool PriorityPause::obey(const PauseQuanta& quanta, double bits_per_second, Time now) {
  bool resumed = expire(now);
  for (std::size_t priority = 0; priority < kPriorities; ++priority) {
    if (!quanta[priority]) continue;
    ++frames_[priority];
    if (*quanta[priority] == 0) {
      resumed = end(priority, now) || resumed;
      continue;
    }
    if ((paused_ >> priority & 1U) == 0) since_[priority] = now;
    paused_ |= 1U << priority;
    const double time = *quanta[priority] * kQuantumBits * 1e9 / bits_per_second;
    until_[priority] = now + nanoseconds(std::llround(time));
  }
  return resumed;
}

bool PriorityPause::expire(Time now) {
  bool any = false;
  for (std::size_t priority = 0; paused_ != 0 && priority < kPriorities; ++priority) {
    if (until_[priority] <= now) any = end(priority, until_[priority]) || any;
  }
  return any;
}

bool PriorityPause::end(std::size_t priority, Time now) {
  if ((paused_ >> priority & 1U) == 0) return false;
  paused_ &= ~(1U << priority);
  durations_[priority] += now - since_[priority];
  until_[priority] = Time{};
  return true;
}

Time PriorityPause::next_end() const {
  Time first = Time::max();
  for (std::size_t priority = 0; priority < kPriorities; ++priority) {
    if ((paused_ >> priority & 1U) != 0) first = std::min(first, until_[priority]);
  }
  return first;
}

std::uint64_t PriorityPause::microseconds(std::size_t priority) const {
  using std::chrono::microseconds;
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<microseconds>(durations_[priority]).count());
}

}  // namespace railgauge::softroce
