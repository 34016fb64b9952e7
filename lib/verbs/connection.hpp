#pragma once

#include <rdma/rdma_cma.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "verbs/queue_pair.hpp"

namespace railgauge::verbs {

/// What an event of librdmacm means for a connection: "the peer refused". Never empty.
std::string_view meaning(rdma_cm_event_type event);

/// An event and its status for a message: "RDMA_CM_EVENT_REJECTED: the peer refused (nothing is
/// listening on that port)". A negative status is an errno value; that of a rejection is the reason
/// code of the InfiniBand connection manager.
std::string describe(rdma_cm_event_type event, int status);

// The parts of ConnectionManager, which is what callers use: ids of librdmacm, and the steps by
// which one pair gets connected.

using EventChannel = std::shared_ptr<rdma_event_channel>;
using ConnectionId = std::shared_ptr<rdma_cm_id>;

/// Sent with the request, so that the passive side knows which pair is meant; padded with zeros.
using Cookie = std::array<char, 32>;
/// Throws EMSGSIZE if `text` is too long.
Cookie make_cookie(std::string_view text);

/// A channel that can be read without blocking.
EventChannel open_event_channel();

/// Takes ownership of an id; the channel lives as long as it does. Destroying
/// disconnects, and waits until the events of the id are acknowledged.
ConnectionId own(rdma_cm_id* id, EventChannel channel);
ConnectionId create_id(const EventChannel& channel, void* context);

/// One pair that is being connected. The manager calls a step when the event for it has come; every
/// step starts something and returns at once. All throw std::system_error naming the peer.
class Connection {
 public:
  /// `peer` names the other end in messages.
  Connection(PendingQueuePair pair, std::string_view cookie, std::string peer);

  // The active side, in this order.
  void resolve_address(const EventChannel& channel, const sockaddr& from, const sockaddr& to);
  void resolve_route();
  void connect();
  void establish();  ///< the peer accepted; connected afterwards

  // The passive side.
  bool awaits(const Cookie& cookie) const { return id_ == nullptr && cookie_ == cookie; }
  void accept(ConnectionId request);

  void complete();  ///< the event says so

  bool connected() const { return connected_.has_value(); }
  /// The connected pair. Call once, when connected(); events of its id are ignored from then on.
  QueuePair take();

  std::string source_address() const { return pair_.port_.address(); }
  const std::string& peer() const { return peer_; }
  const char* phase() const { return phase_; }  ///< what it is waiting for

 private:
  void check_device() const;
  void make_ready();
  rdma_conn_param parameters() const;

  PendingQueuePair pair_;
  Cookie cookie_;
  std::string peer_;
  const char* phase_ = "its request has not arrived";
  ConnectionId id_;
  std::optional<QueuePair> connected_;
};

}  // namespace railgauge::verbs
