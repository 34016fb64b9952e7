#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "telemetry/counters.hpp"

namespace railgauge::telemetry {

/// What a port carried in each priority (IEEE 802.1Q), of one direction.
struct PriorityTraffic {
  std::vector<std::uint64_t> by_priority{};  ///< empty: it does not count that
  std::uint64_t unit_bytes = 1;  ///< of one, at most: 1, or a packet's where bytes are not counted
  std::chrono::milliseconds age{0};  ///< how old it may be, as drivers ask their devices in turns
};

/// Of a port's counters, by its driver's names: rx_prio3_bytes of mlx5 and softroce, rx_bytes_pri3
/// of bnxt_en, frames_rx_pri_3 of ionic. `direction` is "rx" or "tx".
[[nodiscard]] PriorityTraffic priority_traffic_in(const Counters& counters,
                                                  const std::string& direction);

/// What priority_traffic_in() asks for, of sysfs and of `ethtool -S`.
[[nodiscard]] Counters read_priority_counters(const std::string& device, int port,
                                              const std::string& netdev);

/// In which priority a test was carried that sent so many bytes, by what was counted meanwhile:
/// the one with nearly all of it. Empty if none has nearly all, as where priorities share one
/// counter; if less was counted than was sent; or if the test is little of it.
[[nodiscard]] std::optional<int> priority_of(const PriorityTraffic& before,
                                             const PriorityTraffic& after, std::uint64_t bytes);

}  // namespace railgauge::telemetry
