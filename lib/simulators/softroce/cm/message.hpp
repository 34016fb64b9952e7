#pragma once

// lib/simulators/softroce/cm is a connection manager for soft devices: it does what the kernel does
// behind /dev/infiniband/rdma_cm (drivers/infiniband/core/cma.c, cm.c and ucma.c), so that the
// machine's own librdmacm runs on soft devices. It must not know how a program's calls get here
// (that is lib/simulators/softroce/paths) or what a packet is: only where connections end, not how
// they work.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "softroce/wire/address.hpp"

namespace railgauge::softroce::cm {

/// The messages of the InfiniBand connection manager that a connection needs (volume 1, 12.6 and
/// 12.11). MRA is left out: nothing is retransmitted here.
enum class Kind : std::uint8_t {
  request = 1,       ///< REQ
  reply,             ///< REP
  ready,             ///< RTU
  reject,            ///< REJ
  disconnect,        ///< DREQ
  disconnected,      ///< DREP
  datagram_request,  ///< SIDR_REQ
  datagram_reply,    ///< SIDR_REP
};

/// Why a request was refused: the status of a REJECTED event (volume 1, 12.6.7.2, table 108).
enum Reason : std::uint16_t {
  kTimeout = 4,
  kInvalidServiceId = 8,
  kConsumerDefined = 28,
  kVendorOptionNotSupported = 35,
};

/// Of a datagram_reply (volume 1, 12.11.2.1).
enum DatagramStatus : std::uint16_t { kDatagramAccepted = 0, kDatagramRejected = 2 };

/// How much private data a program may send, and how much its peer is shown: a message has room
/// for exactly that and does not say how much of it was used. rdma_cm's own header takes 36 bytes
/// of each request (volume 1, annex A11).
constexpr std::size_t private_bytes(Kind kind) {
  switch (kind) {
    case Kind::request: return 92 - 36;
    case Kind::reply: return 196;
    case Kind::reject: return 148;
    case Kind::datagram_request: return 216 - 36;
    case Kind::datagram_reply: return 136;
    default: return 0;
  }
}

/// An IP address and a port number in one of rdma_cm's port spaces.
struct Endpoint {
  std::uint16_t family = 0;  ///< AF_INET, AF_INET6; AF_IB has neither address nor port here
  Address address{};
  std::uint16_t port = 0;
  bool any() const;  ///< the address is 0.0.0.0 or ::
};

/// One message, whatever its kind; what the kind does not have is zero.
struct Message {
  Kind kind = Kind::request;
  std::uint16_t status = 0;  ///< Reason, DatagramStatus
  std::uint16_t port_space = 0;
  std::uint32_t queue_pair = 0, psn = 0, qkey = 0;
  Address device{};            ///< the soft device's own address, which is its GID
  Address source{}, target{};  ///< of a request: as the program named them
  std::uint16_t source_port = 0, target_port = 0;
  std::uint8_t mtu = 0;  ///< enum ibv_mtu
  std::uint8_t responder_resources = 0, initiator_depth = 0;
  std::uint8_t flow_control = 0, retry_count = 0, rnr_retry_count = 0, srq = 0;
  std::uint8_t traffic_class = 0;
  std::uint32_t ece_vendor = 0, ece_options = 0;
  std::array<std::uint8_t, 196> private_data{};
};

inline constexpr std::size_t kMessageBytes = 296;
using MessageBytes = std::array<std::byte, kMessageBytes>;

MessageBytes encode(const Message& message);
/// Nothing if a soft device cannot have sent this: anyone may connect and send anything.
std::optional<Message> decode(std::span<const std::byte, kMessageBytes> bytes);

}  // namespace railgauge::softroce::cm
