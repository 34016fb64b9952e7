#pragma once

#include <chrono>

namespace railgauge::runner {

// Prometheus wants base units; results have those of the field.

[[nodiscard]] constexpr double bytes_of_gigabytes(double gigabytes) {
  return gigabytes * 1e9;
}
[[nodiscard]] constexpr double bytes_of_gigabits(double gigabits) {
  return gigabits * 1e9 / 8;
}
[[nodiscard]] constexpr double seconds_of_microseconds(double microseconds) {
  return microseconds * 1e-6;
}
[[nodiscard]] constexpr double ratio_of_percent(double percent) {
  return percent / 100;
}
[[nodiscard]] inline double unix_seconds(std::chrono::system_clock::time_point time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

}  // namespace railgauge::runner
