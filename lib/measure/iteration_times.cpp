#include "measure/iteration_times.hpp"

#include <cstdio>
#include <cstdlib>

namespace railgauge::measure {

IterationTimes::IterationTimes(std::size_t capacity) : microseconds_(capacity) {}

void IterationTimes::record(std::chrono::nanoseconds duration) noexcept {
  if (size_ == microseconds_.size()) {
    std::fputs("railgauge: more iterations were timed than room was made for\n", stderr);
    std::abort();
  }
  microseconds_[size_++] = std::chrono::duration<double, std::micro>(duration).count();
}

}  // namespace railgauge::measure
