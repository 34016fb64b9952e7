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

/// What is to be found out.
struct TraceRequest {
  std::vector<std::uint16_t> source_ports{};
  /// Of the peer, where it is known and switches may hash it.
  std::optional<std::uint32_t> queue_pair{};
  /// Whether to find out if what switches say can be relied on, which takes some 240 probes more.
  /// Without, switches that hash the queue pair, or spray, look like such that choose by port.
  bool with_controls = true;
};

/// By what switches choose among equal paths.
enum class Balance : std::uint8_t {
  unknown,        ///< no switch has answered, or there is none that could
  single,         ///< all source ports take one path
  by_port,        ///< a source port has a path, which is told
  by_queue_pair,  ///< of a source port, another queue pair takes another path
  sprayed,        ///< even the same packet takes another path each time
};
/// "by-port"; empty: the number is none of them.
[[nodiscard]] std::string_view word(Balance balance);

/// The switches that a source port's packets pass, in order; empty where one did not answer.
struct PortPath {
  std::uint16_t source_port = 0;
  std::vector<std::optional<topology::IpAddress>> switches{};
};

struct Trace {
  /// On the way to the peer; empty if it did not answer. Switches that only bridge are none.
  std::optional<int> switches{};
  int heard = 0;  ///< the place, from 1, of the last of them that answers; none is probed behind it
  Balance balance = Balance::unknown;
  std::vector<PortPath> paths{};                    ///< in the order of the request
  std::vector<std::uint16_t> busy_ports{};          ///< of the request, that another socket has
  std::optional<topology::IpAddress> refused_by{};  ///< who had no way to the peer
};

/// Whether nothing was heard of the last place before the peer: of a switch that does not answer,
/// or of the peer, whose answers from there were lost. Then there may be fewer switches.
[[nodiscard]] inline bool last_is_unheard(const Trace& trace) {
  return trace.switches && trace.heard < *trace.switches;
}

/// Asks every switch on the way of every source port, three times at most, and then whether what it
/// says can be relied on: the same probe again, and with other queue pairs. No probe to port 4791
/// goes farther than the last switch that is known to answer, and so none comes as far as the peer,
/// provided that equal paths are equally long. Throws as Prober::ask().
[[nodiscard]] Trace trace(Prober& prober, const TraceRequest& request);

}  // namespace railgauge::paths
