#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "softroce/faults/faults.hpp"
#include "softroce/wire/pause_frame.hpp"

namespace railgauge::softroce {

/// A packet's priority is the upper three bits of its DSCP, as mlx5 has it by default where it
/// trusts the DSCP.
constexpr std::size_t priority_of(std::uint8_t traffic_class) {
  constexpr unsigned kShift = 5;
  return traffic_class >> kShift;
}

/// What a port that is told to pause must not send (priority flow control), and what mlx5 counts of
/// that as rx_prio3_pause and rx_prio3_pause_duration.
class PriorityPause {
 public:
  /// True if a priority may go on that could not.
  bool obey(const PauseQuanta& quanta, double bits_per_second, Time now);
  /// Ends what is over. True if something was.
  bool expire(Time now);
  /// Whether packets of this traffic class have to wait.
  bool holds(std::uint8_t traffic_class, Time now) const {
    return paused_ != 0 && now < until_[priority_of(traffic_class)];
  }
  /// When expire() is due; Time::max() if nothing is paused.
  Time next_end() const;

  std::uint64_t frames(std::size_t priority) const { return frames_[priority]; }
  std::uint64_t microseconds(std::size_t priority) const;

 private:
  bool end(std::size_t priority, Time now);

  unsigned paused_ = 0;  // a bit per priority
  std::array<Time, kPriorities> since_{};
  std::array<Time, kPriorities> until_{};
  std::array<std::uint64_t, kPriorities> frames_{};
  std::array<nanoseconds, kPriorities> durations_{};
};

}  // namespace railgauge::softroce
