#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "topology/ip_address.hpp"

namespace railgauge::paths {

/// A datagram to the peer that ends at the `ttl`-th switch on its way.
struct Probe {
  std::uint16_t source_port = 0;
  int ttl = 1;
  /// To port 4791, as RDMA is, with this as the destination's queue pair. Empty: to a port where
  /// nobody listens, so that the peer itself answers if it arrives.
  std::optional<std::uint32_t> queue_pair{};
};

/// Who answered, and what.
struct Answer {
  enum class Kind : std::uint8_t {
    expired,  ///< a switch at which the TTL ended
    arrived,  ///< the peer, where nobody listens
    refused,  ///< whoever had no way to go on
  };
  Kind kind = Kind::expired;
  topology::IpAddress from{};
};

/// Asks switches between this host and one peer.
class Prober {
 public:
  virtual ~Prober() = default;
  /// Whether probes can be sent from that port: another socket may have it.
  [[nodiscard]] virtual bool can_use(std::uint16_t source_port) = 0;
  /// Sends all, each once, and returns their answers in the same order: empty where none came in
  /// time. At most one probe per source port, each of which can be used. Throws std::system_error
  /// if they cannot be sent.
  [[nodiscard]] virtual std::vector<std::optional<Answer>> ask(std::span<const Probe> probes) = 0;
  /// Waits until a peer that answers one probe a second, as Linux does after six (icmp(7),
  /// icmp_ratelimit), may answer another.
  virtual void rest() = 0;
};

}  // namespace railgauge::paths
