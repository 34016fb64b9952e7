#pragma once

#include <chrono>
#include <cstdint>

namespace railgauge::flow {

/// Time that passes by being read, in place of CLOCK_MONOTONIC in the program that links it: so
/// much with each reading, while there is one of these. One thread.
class CountedClock {
 public:
  explicit CountedClock(std::chrono::nanoseconds a_reading);
  ~CountedClock();
  CountedClock(const CountedClock&) = delete;
  CountedClock& operator=(const CountedClock&) = delete;

  [[nodiscard]] static std::uint64_t readings();
};

}  // namespace railgauge::flow
