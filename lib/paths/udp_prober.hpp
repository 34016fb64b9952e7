#pragma once

#include <chrono>
#include <map>
#include <memory>

#include "paths/trace.hpp"

namespace railgauge::paths {

/// Between which addresses, and how.
struct ProberSettings {
  topology::IpAddress from{};  ///< of this host
  topology::IpAddress to{};
  std::uint8_t traffic_class = 0;  ///< that of the data: DSCP << 2 | ECN
  /// Of each IP packet, which must not be fragmented: what a link does not take is not answered
  /// from behind it. 0: as small as can be, and no such demand.
  std::uint32_t packet_bytes = 0;
  /// Switches answer some hundred a second, and share these among all who ask.
  int probes_per_second = 100;
  /// After the last probe of a call. Once any was answered, ten times as long as the slowest answer
  /// took is enough, or 50 ms.
  std::chrono::milliseconds patience{300};
};

/// Asks by UDP sockets, one per source port, which tell what ICMP said of their datagrams
/// (IP_RECVERR; ip(7)). Needs no rights. IPv4 only. One thread.
class UdpProber final : public Prober {
 public:
  /// Throws std::invalid_argument if the addresses are not both IPv4 or `from` is not of this host,
  /// std::system_error if there are no sockets to be had.
  explicit UdpProber(const ProberSettings& settings);
  ~UdpProber() override;
  UdpProber(const UdpProber&) = delete;
  UdpProber& operator=(const UdpProber&) = delete;

  [[nodiscard]] bool can_use(std::uint16_t source_port) override;
  [[nodiscard]] std::vector<std::optional<Answer>> ask(std::span<const Probe> probes) override;
  void rest() override;

 private:
  class Socket;
  class Round;

  ProberSettings settings_;
  std::string netdev_;  // that has the address; empty for loopback
  std::map<std::uint16_t, std::unique_ptr<Socket>> sockets_;
  std::uint32_t next_number_ = 1;
  std::chrono::steady_clock::duration slowest_answer_{0};  // so far
};

/// The address of this host from which the kernel sends to another. Throws std::system_error if
/// there is no way to it, std::invalid_argument if it is not IPv4.
[[nodiscard]] topology::IpAddress address_towards(const topology::IpAddress& peer);

}  // namespace railgauge::paths
