#pragma once

#include <array>
#include <chrono>
#include <ctime>
#include <optional>
#include <string>

namespace railgauge::results {

inline constexpr const char* kUtcFormat = "%Y-%m-%dT%H:%M:%SZ";

/// ISO 8601, in UTC, to the second: "2026-01-31T12:00:00Z".
[[nodiscard]] inline std::string utc(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm fields{};
  gmtime_r(&seconds, &fields);
  std::array<char, sizeof "2026-01-31T12:00:00Z"> text{};
  std::strftime(text.data(), text.size(), kUtcFormat, &fields);
  return text.data();
}

/// The time that utc() wrote so; empty if it is none.
[[nodiscard]] inline std::optional<std::chrono::system_clock::time_point> time_of(
    const std::string& text) {
  std::tm fields{};
  const char* const end = ::strptime(text.c_str(), kUtcFormat, &fields);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return std::chrono::system_clock::from_time_t(::timegm(&fields));
}

}  // namespace railgauge::results
