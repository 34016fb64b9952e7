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

// What ConnectionManager (the way in) is made of: ids of librdmacm, and one pair's way through
// them.

using EventChannel = std::shared_ptr<rdma_event_channel>;
using ConnectionId = std::shared_ptr<rdma_cm_id>;

/// Travels with the request, so that the passive side knows which pair is meant; padded with zeros.
using Cookie = std::array<char, 32>;
/// Throws EMSGSIZE when `text` is too long.
Cookie make_cookie(std::string_view text);

/// A channel that can be read without blocking.
EventChannel open_event_channel();

/// Takes ownership of an id; the channel lives as long as it does. Destroying hangs up, and waits
/// until the events of the id are acknowledged.
ConnectionId own(rdma_cm_id* id, EventChannel channel);
ConnectionId create_id(const EventChannel& channel, void* context);

/// One pair on its way to being connected. The manager calls a step when the event for it came;
/// every step starts something and returns at once. All throw std::system_error naming the peer.
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

  void complete();  ///< connected, says the event

  bool connected() const { return connected_.has_value(); }
  /// The connected pair. Call once, when connected(); events of its id name nobody from then on.
  QueuePair take();

  std::string source_address() const { return pair_.port_.address(); }
  const std::string& peer() const { return peer_; }
  const char* phase() const { return phase_; }  ///< what it waits for, in words

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
