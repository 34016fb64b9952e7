#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "json/members.hpp"

namespace railgauge::results {

/// What one port counted while a row was measured, if that was anything but traffic, or if it is a
/// software device. A port that is not listed counted nothing else, or cannot count.
struct PortEvents {
  std::string host{};
  std::string device{};
  int port = 1;
  std::optional<int> rail{};
  std::optional<int> plane{};
  std::string address{};
  /// Packets in that time; empty if the port does not count them.
  std::optional<std::int64_t> packets_sent{};
  std::optional<std::int64_t> packets_received{};
  std::map<std::string, std::int64_t> moved{};  // counters, by the driver's names, and by how much

  RAILGAUGE_FIELDS((host), (device), (port), rail, plane, address, packets_sent, packets_received,
                   (moved))
};

}  // namespace railgauge::results
