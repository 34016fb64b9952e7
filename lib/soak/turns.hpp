#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace railgauge::soak {

/// Whose turn it is: in every window each phase of the plan has an equal part of the time, in the
/// order of the plan. Where turns last longer than their part, as when one iteration does, later
/// phases have to wait for the next window, which goes on where this one ended: none is left out.
class Turns {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Turns(std::size_t phases, std::chrono::nanoseconds window) : phases_(phases), window_(window) {}

  void begin_window(Time now) { begin_ = now; }
  /// The phase whose turn it is now, which ends at end(); empty when the window is over.
  [[nodiscard]] std::optional<std::size_t> next(Time now) {
    if (now >= begin_ + window_) return std::nullopt;
    const auto phases = static_cast<std::int64_t>(phases_);
    const std::int64_t part = (now - begin_) * phases / window_;
    end_ = begin_ + (part + 1) * window_ / phases;
    return std::exchange(next_, (next_ + 1) % phases_);
  }
  [[nodiscard]] Time end() const { return end_; }

 private:
  std::size_t phases_;
  std::chrono::nanoseconds window_;
  std::size_t next_ = 0;
  Time begin_{};
  Time end_{};
};

}  // namespace railgauge::soak
