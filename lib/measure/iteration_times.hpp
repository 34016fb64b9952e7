#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <vector>

namespace railgauge::measure {

/// One duration per iteration of one rank, in the order in which they were recorded. Memory is
/// allocated, and touched, when it is made, so that recording costs the timed loop a store.
class IterationTimes {
 public:
  explicit IterationTimes(std::size_t capacity);

  /// Any resolution the clock has is kept: times are stored as fractions of a microsecond.
  /// Recording more than `capacity` is a bug of the caller and ends the program, because a dropped
  /// iteration would be a wrong percentile that nobody sees.
  void record(std::chrono::nanoseconds duration) noexcept;

  /// Forgets what was recorded and keeps the memory, for the next row.
  void clear() noexcept { size_ = 0; }

  /// In microseconds. Valid until the next record() or clear(). Contiguous, so that the slowest
  /// rank of each iteration is one element-wise maximum over all ranks.
  [[nodiscard]] std::span<const double> microseconds() const {
    return std::span(microseconds_).first(size_);
  }

 private:
  std::vector<double> microseconds_;
  std::size_t size_ = 0;
};

}  // namespace railgauge::measure
