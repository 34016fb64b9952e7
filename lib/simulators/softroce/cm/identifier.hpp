#pragma once

#include <infiniband/verbs.h>

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "softroce/cm/channel.hpp"
#include "softroce/cm/device.hpp"
#include "softroce/cm/network.hpp"

namespace railgauge::softroce::cm {

using Time = std::chrono::steady_clock::time_point;

/// Where an identifier is on its way: the states of cma.c before there is a request, and those of
/// cm.c (volume 1, 12.9.5) from then on.
enum class State : std::uint8_t {
  idle,
  bound,
  listening,
  address_resolved,
  route_resolved,
  request_sent,
  request_received,
  reply_received,
  reply_sent,
  established,
  disconnect_sent,
  disconnect_received,
  time_wait,
  ended,  ///< refused, timed out, or after the time wait: nothing can be done but to destroy it
};

/// What one end of a connection says of itself, and in the end what both agreed on.
struct Terms {
  std::uint32_t queue_pair = 0;
  std::uint32_t psn = 0;  ///< where the other end is to begin (volume 1, 12.7.31)
  std::uint32_t qkey = 0;
  Address device{};
  std::uint8_t mtu = 0;
  std::uint8_t responder_resources = 0, initiator_depth = 0;
  std::uint8_t retry_count = 0, rnr_retry_count = 0;
  std::uint8_t traffic_class = 0;
};

/// What struct rdma_cm_id is to a program.
struct Identifier {
  Id id = kNoId;
  std::uint64_t uid = 0;  ///< the program's; 0: a request that was not accepted yet
  std::uint16_t port_space = RDMA_PS_TCP;
  State state = State::idle;
  Channel* channel = nullptr;
  std::uint32_t events_told = 0;
  Endpoint source{}, destination{};
  std::optional<Device> device{};
  std::unique_ptr<Port> port{};
  std::unique_ptr<Link> link{};
  Terms own{};   ///< as this end sent it, and then as it holds for this end
  Terms peer{};  ///< the other end's
  int room = 0;  ///< of a listener: for how many more requests that are not told
  bool shared = false, only_ipv6 = false;
  std::uint8_t traffic_class = 0;
  std::optional<std::uint8_t> acknowledgement_timeout{};
  Time deadline = Time::max();
  bool told_disconnected = false;

  bool datagrams() const { return port_space == RDMA_PS_UDP || port_space == RDMA_PS_IPOIB; }
};

/// What ibv_modify_qp() has to be given for the state in `attributes`. Returns errno: EINVAL if the
/// connection is not that far (cma_ib_init_qp_attr(), cm_init_qp_*_attr()).
int queue_pair_attributes(const Identifier& identifier, ibv_qp_attr& attributes, int& mask);

/// The way to the peer, for address handles and queue pairs.
ibv_ah_attr address_vector(const Identifier& identifier);

/// A soft device has one port.
inline constexpr std::uint8_t kPortNumber = 1;
inline constexpr std::uint8_t kHops = 64;
/// 4.096 us * 2^this is how long a packet may live on RoCE (cma.c: CMA_IBOE_PACKET_LIFETIME).
inline constexpr std::uint8_t kPacketLifetime = 16;
/// Twice that: until an acknowledgement is missed, and how long a connection's numbers rest after
/// it ended (volume 1, 12.9.8.4).
inline constexpr std::uint8_t kAcknowledgementTimeout = kPacketLifetime + 1;
/// How long a peer may take to answer: 16 transmissions, 4.3 s apart (cma.c:
/// CMA_CM_RESPONSE_TIMEOUT and CMA_MAX_CM_RETRIES).
inline constexpr std::chrono::nanoseconds kAnswerTime{16 * 4096LL << 20};
/// RDMA_UDP_QKEY: of queue pairs for datagrams whose program names none.
inline constexpr std::uint32_t kDefaultQkey = 0x01234567;

}  // namespace railgauge::softroce::cm
