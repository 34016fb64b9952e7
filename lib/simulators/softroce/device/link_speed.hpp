#pragma once

#include <cstdint>
#include <string>

namespace railgauge::softroce {

/// The speed that a soft port says it has if nothing else is known: 4 lanes of 10 Gb/s.
inline constexpr double kLineBitsPerSecond = 40e9;

/// A line rate as verbs and sysfs tell it.
struct LinkSpeed {
  std::uint8_t width = 0;  ///< ibv_port_attr::active_width
  std::uint8_t speed = 0;  ///< ibv_port_attr::active_speed
  std::string rate{};      ///< of sysfs, exact: "0.2 Gb/sec (1X SDR)"
};

/// The slowest combination of lanes that is not slower, as the kernel does it for Ethernet
/// (ib_get_eth_speed in drivers/infiniband/core/verbs.c); the fastest for all beyond. Codes cannot
/// say less than 2.5 Gb/s, so below that only the text of sysfs is exact.
LinkSpeed link_speed(double bits_per_second);

}  // namespace railgauge::softroce
