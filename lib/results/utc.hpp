#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace railgauge::results {

/// ISO 8601, in UTC, to the second: "2026-01-31T12:00:00Z".
[[nodiscard]] std::string utc(std::chrono::system_clock::time_point time);

/// The time that utc() wrote so; empty if it is none.
[[nodiscard]] std::optional<std::chrono::system_clock::time_point> time_of(const std::string& text);

}  // namespace railgauge::results
