#include "verbs/connection.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "verbs/error.hpp"

namespace railgauge::verbs {
namespace {

// One ARP or neighbour discovery; the timeout of rdma-core's own tools.
constexpr int kResolveMs = 2000;

// Reason codes: InfiniBand Architecture Specification 1.x, 12.6.7.2; enum ib_cm_rej_reason of the
// kernel's rdma/ib_cm.h.
std::string rejection(int reason) {
  switch (reason) {
    case 4: return "timeout at the peer";
    case 8: return "nothing is listening on that port";
    case 10: return "stale connection: the queue-pair number was in use a moment ago; try again";
    case 28: return "by the program there: it did not expect this connection";
    default: return "reason code " + std::to_string(reason);
  }
}

std::string status_words(rdma_cm_event_type event, int status) {
  if (status < 0) return std::strerror(-status);
  return event == RDMA_CM_EVENT_REJECTED ? rejection(status) : "status " + std::to_string(status);
}

}  // namespace

Cookie make_cookie(std::string_view text) {
  Cookie cookie{};
  if (text.size() > cookie.size()) {
    fail(EMSGSIZE, "a cookie has at most 32 bytes: '" + std::string(text) + "'");
  }
  std::copy(text.begin(), text.end(), cookie.begin());
  return cookie;
}

EventChannel open_event_channel() {
  EventChannel channel(created(rdma_create_event_channel(),
                               "rdma_create_event_channel (needs the kernel module rdma_ucm)"),
                       rdma_destroy_event_channel);
  make_non_blocking(channel->fd, "an rdma_cm channel");
  return channel;
}

ConnectionId own(rdma_cm_id* id, EventChannel channel) {
  return {id, [channel = std::move(channel)](rdma_cm_id* dying) { rdma_destroy_id(dying); }};
}

ConnectionId create_id(const EventChannel& channel, void* context) {
  rdma_cm_id* id = nullptr;
  answered(rdma_create_id(channel.get(), &id, context, RDMA_PS_TCP), "rdma_create_id");
  return own(id, channel);
}

Connection::Connection(PendingQueuePair pair, std::string_view cookie, std::string peer)
    : pair_(std::move(pair)), cookie_(make_cookie(cookie)), peer_(std::move(peer)) {}

void Connection::resolve_address(const EventChannel& channel, const sockaddr& from,
                                 const sockaddr& to) {
  phase_ = "resolving the address";
  id_ = create_id(channel, this);
  // The library's signature lacks the const; it only reads.
  answered(rdma_resolve_addr(id_.get(), const_cast<sockaddr*>(&from), const_cast<sockaddr*>(&to),
                             kResolveMs),
           "rdma_resolve_addr", peer_);
}

void Connection::resolve_route() {
  check_device();
  phase_ = "resolving the route";
  answered(rdma_resolve_route(id_.get(), kResolveMs), "rdma_resolve_route", peer_);
}

void Connection::connect() {
  phase_ = "waiting for the peer's answer";
  rdma_conn_param asked = parameters();
  answered(rdma_connect(id_.get(), &asked), "rdma_connect", peer_);
}

void Connection::establish() {
  make_ready();
  answered(rdma_establish(id_.get()), "rdma_establish", peer_);
  complete();
}

void Connection::accept(ConnectionId request) {
  id_ = std::move(request);
  id_->context = this;
  check_device();
  make_ready();
  phase_ = "accepted, waiting for the peer to confirm";
  rdma_conn_param granted = parameters();
  answered(rdma_accept(id_.get(), &granted), "rdma_accept", peer_);
}

void Connection::complete() {
  if (!connected_) connected_.emplace(std::move(pair_).connected(id_));
}

QueuePair Connection::take() {
  id_->context = nullptr;
  return std::move(*connected_);
}

/// librdmacm picks a device by its own routing; it must be the one on which the pair was made.
void Connection::check_device() const {
  const Port& ours = pair_.port_;
  const std::string found =
      id_->verbs != nullptr ? ibv_get_device_name(id_->verbs->device) : "none";
  if (found == ours.device && id_->port_num == ours.number) return;
  fail(EXDEV, "rdma_cm: " + peer_ + " is reached through device " + found +
                  ", but the pair is on " + ours.device);
}

/// To RTR and RTS; the constructor has moved the pair to INIT.
void Connection::make_ready() {
  for (const ibv_qp_state state : {IBV_QPS_RTR, IBV_QPS_RTS}) {
    ibv_qp_attr attributes{};
    attributes.qp_state = state;
    int mask = 0;
    answered(rdma_init_qp_attr(id_.get(), &attributes, &mask), "rdma_init_qp_attr", peer_);
    pair_.advance(attributes, mask);
  }
}

rdma_conn_param Connection::parameters() const {
  rdma_conn_param parameters{};
  parameters.private_data = cookie_.data();
  parameters.private_data_len = static_cast<std::uint8_t>(cookie_.size());
  parameters.retry_count = pair_.settings_.retries;
  parameters.qp_num = pair_.number();
  return parameters;
}

std::string_view meaning(rdma_cm_event_type event) {
  switch (event) {
    case RDMA_CM_EVENT_ADDR_RESOLVED: return "address resolved";
    case RDMA_CM_EVENT_ADDR_ERROR:
      return "the address cannot be resolved; is the peer on this rail?";
    case RDMA_CM_EVENT_ROUTE_RESOLVED: return "route resolved";
    case RDMA_CM_EVENT_ROUTE_ERROR: return "there is no route to the peer";
    case RDMA_CM_EVENT_CONNECT_REQUEST: return "a peer requests a connection";
    case RDMA_CM_EVENT_CONNECT_RESPONSE: return "the peer accepted";
    case RDMA_CM_EVENT_CONNECT_ERROR: return "the connection could not be completed";
    case RDMA_CM_EVENT_UNREACHABLE: return "the peer did not answer";
    case RDMA_CM_EVENT_REJECTED: return "the peer refused";
    case RDMA_CM_EVENT_ESTABLISHED: return "connected";
    case RDMA_CM_EVENT_DISCONNECTED: return "the peer disconnected";
    case RDMA_CM_EVENT_DEVICE_REMOVAL: return "the device was removed";
    case RDMA_CM_EVENT_MULTICAST_JOIN: return "joined a multicast group";
    case RDMA_CM_EVENT_MULTICAST_ERROR: return "a multicast group failed";
    case RDMA_CM_EVENT_ADDR_CHANGE: return "the network interface changed its hardware address";
    case RDMA_CM_EVENT_TIMEWAIT_EXIT: return "the queue-pair number may be used again";
  }
  return "event that this program does not know";
}

std::string describe(rdma_cm_event_type event, int status) {
  std::string text = rdma_event_str(event);
  text.append(": ").append(meaning(event));
  return status == 0 ? text : text + " (" + status_words(event, status) + ")";
}

}  // namespace railgauge::verbs
