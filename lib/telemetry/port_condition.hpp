#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "telemetry/counters.hpp"

namespace railgauge::telemetry {

/// How a port is at the moment.
struct PortCondition {
  std::string state{};  // "ACTIVE", "DOWN"; empty: the kernel does not say
  std::optional<double> link_gigabits_per_second{};
  std::optional<double> temperature_celsius{};  // of the hottest sensor of the device
};

/// Reads it from
///   SYSFS/class/infiniband/DEVICE/ports/PORT/{state,rate}
///     (Documentation/ABI/stable/sysfs-class-infiniband: "4: ACTIVE", "100 Gb/sec (4X EDR)")
///   SYSFS/class/infiniband/DEVICE/device/hwmon/*/temp*_input
///     (Documentation/hwmon/sysfs-interface.rst: thousandths of a degree; mlx5 has one for its
///     chip and one for every module).
[[nodiscard]] PortCondition read_condition(const std::string& device, int port,
                                           const std::filesystem::path& sysfs = "/sys");

/// Counters of the device's place in its host, which are no port's own:
///   SYSFS/class/infiniband/DEVICE/device/aer_dev_{correctable,nonfatal,fatal}: the last line, a
///     total, as aer_correctable, aer_nonfatal, aer_fatal
///     (Documentation/ABI/testing/sysfs-bus-pci-devices-aer_stats)
///   SYSFS/class/net/NETDEV/carrier_down_count
///     (Documentation/ABI/testing/sysfs-class-net).
/// What is not there is left out. `netdev` may be empty.
[[nodiscard]] Counters read_host_counters(const std::string& device, const std::string& netdev,
                                          const std::filesystem::path& sysfs = "/sys");

}  // namespace railgauge::telemetry
