#pragma once

#include <chrono>
#include <string>

namespace railgauge::results {

/// ISO 8601, in UTC, to the second: "2026-01-31T12:00:00Z".
[[nodiscard]] std::string utc(std::chrono::system_clock::time_point time);

}  // namespace railgauge::results
