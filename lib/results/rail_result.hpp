#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <vector>

namespace railgauge::results {

/// What one rail did in one placement. Ranks know how long each stripe of the data took them, and
/// every stripe is on one rail.
struct RailResult {
  unsigned rail = 0;
  std::uint64_t bytes = 0;  // payload that all ranks sent over it in an iteration, counted
  double busbw_gigabytes_per_second = 0;  // for its part of all bytes, at p50_us
  double p50_us = 0;                      // of the rank that took longest; 0: it was not needed
  double p99_us = 0;                      // the same
  std::vector<std::optional<double>> rank_us{};  // [rank] median; empty: it did not use the rail
};

/// By how much the rail with most exceeds the one with least, in percent of the latter; empty if
/// there are fewer than two that carried something.
[[nodiscard]] std::optional<double> bytes_imbalance_percent(std::span<const RailResult> rails);
/// The same of the median times.
[[nodiscard]] std::optional<double> time_imbalance_percent(std::span<const RailResult> rails);
/// The rail that took longest. `rails` must not be empty.
[[nodiscard]] const RailResult& slowest(std::span<const RailResult> rails);

/// Gives each its part of the whole collective's bus bandwidth, which took the whole time_us.
void share_bandwidth(std::span<RailResult> rails, double gigabytes_per_second, double time_us);

void to_json(nlohmann::ordered_json& json, const RailResult& rail);

}  // namespace railgauge::results
