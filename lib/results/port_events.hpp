#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

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

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("host", self.host);
    visit.required("device", self.device);
    visit.required("port", self.port);
    visit("rail", self.rail);
    visit("plane", self.plane);
    visit("address", self.address);
    visit("packets_sent", self.packets_sent);
    visit("packets_received", self.packets_received);
    visit.required("moved", self.moved);
  }
};

}  // namespace railgauge::results
