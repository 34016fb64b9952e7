// How connections come about. Which message leads from which state to which is volume 1, 12.9.6
// and 12.9.7 (active and passive side); what the program is told is cma.c's cma_ib_handler() and
// cma_sidr_rep_handler().

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "softroce/cm/manager.hpp"

namespace railgauge::softroce::cm {
namespace {

constexpr std::uint8_t kMostRetries = 7;

Terms terms_of(const Message& message) {
  return {.queue_pair = message.queue_pair,
          .psn = message.psn,
          .qkey = message.qkey,
          .device = message.device,
          .mtu = message.mtu,
          .responder_resources = message.responder_resources,
          .initiator_depth = message.initiator_depth,
          .retry_count = message.retry_count,
          .rnr_retry_count = message.rnr_retry_count,
          .traffic_class = message.traffic_class};
}

/// One end's reads are the other's answers.
void agree(Identifier& identifier, const Message& message) {
  identifier.peer = terms_of(message);
  identifier.own.responder_resources = message.initiator_depth;
  identifier.own.initiator_depth = message.responder_resources;
  identifier.own.rnr_retry_count = message.rnr_retry_count;
}

void copy_private(const Message& message, std::uint8_t* out, std::uint8_t& length) {
  length = static_cast<std::uint8_t>(private_bytes(message.kind));
  std::memcpy(out, message.private_data.data(), length);
}

void set_connection(rdma_ucm_event_resp& event, const Message& message) {
  rdma_ucm_conn_param& conn = event.param.conn;
  conn.qp_num = message.queue_pair;
  conn.srq = message.srq;
  conn.responder_resources = message.initiator_depth;
  conn.initiator_depth = message.responder_resources;
  conn.flow_control = message.flow_control;
  conn.retry_count = message.retry_count;
  conn.rnr_retry_count = message.rnr_retry_count;
  copy_private(message, conn.private_data, conn.private_data_len);
  event.ece = {message.ece_vendor, message.ece_options};
}

void set_datagrams(rdma_ucm_event_resp& event, const Identifier& identifier,
                   const Message& message) {
  rdma_ucm_ud_param& datagrams = event.param.ud;
  const ibv_ah_attr vector = address_vector(identifier);
  ib_uverbs_ah_attr& out = datagrams.ah_attr;
  std::memcpy(out.grh.dgid, vector.grh.dgid.raw, sizeof out.grh.dgid);
  out.grh.sgid_index = vector.grh.sgid_index;
  out.grh.hop_limit = vector.grh.hop_limit;
  out.grh.traffic_class = vector.grh.traffic_class;
  out.is_global = 1;
  out.port_num = vector.port_num;
  datagrams.qp_num = message.queue_pair;
  datagrams.qkey = message.qkey;
  copy_private(message, datagrams.private_data, datagrams.private_data_len);
}

bool put_private(std::span<const std::uint8_t> data, Message& message) {
  if (data.size() > private_bytes(message.kind)) return false;
  std::ranges::copy(data, message.private_data.begin());
  return true;
}

std::span<const std::uint8_t> private_of(const rdma_ucm_conn_param& offer) {
  return {offer.private_data, offer.private_data_len};
}

}  // namespace

void Manager::tell_with(Identifier& identifier, EventType type, const Message& message) {
  rdma_ucm_event_resp event{};
  event.event = static_cast<std::uint32_t>(type);
  event.status = message.status;
  if (identifier.datagrams()) {
    set_datagrams(event, identifier, message);
  } else {
    set_connection(event, message);
  }
  tell(identifier, event);
}

/// What both a request and a reply say of this end.
void Manager::fill(Identifier& identifier, const rdma_ucm_conn_param& offer,
                   const rdma_ucm_ece& ece, Message& message) {
  Terms& own = identifier.own;
  own.queue_pair = offer.qp_num & 0xffffffU;
  own.device = identifier.device->gid;
  own.mtu = identifier.device->mtu;
  own.responder_resources = offer.responder_resources;
  own.initiator_depth = offer.initiator_depth;
  message.queue_pair = own.queue_pair;
  message.psn = own.psn;
  message.device = own.device;
  message.mtu = own.mtu;
  message.responder_resources = own.responder_resources;
  message.initiator_depth = own.initiator_depth;
  message.flow_control = offer.flow_control;
  message.srq = offer.srq;
  message.retry_count = std::min(offer.retry_count, kMostRetries);
  message.rnr_retry_count = std::min(offer.rnr_retry_count, kMostRetries);
  message.traffic_class = own.traffic_class;
  message.port_space = identifier.port_space;
  message.ece_vendor = ece.vendor_id;
  message.ece_options = ece.attr_mod;
}

int Manager::connect(Channel& channel, Id id, const rdma_ucm_conn_param& offer,
                     const rdma_ucm_ece& ece) {
  Identifier* identifier = nullptr;
  if (const int error = find_bound(channel, id, identifier)) return error;
  if (offer.valid == 0 || identifier->state != State::route_resolved) return EINVAL;
  Message message;
  message.kind = identifier->datagrams() ? Kind::datagram_request : Kind::request;
  if (!put_private(private_of(offer), message)) return EINVAL;
  identifier->own.traffic_class = identifier->traffic_class;
  fill(*identifier, offer, ece, message);
  identifier->own.retry_count = message.retry_count;
  message.source = identifier->source.address;
  message.source_port = identifier->source.port;
  message.target = identifier->destination.address;
  message.target_port = identifier->destination.port;
  identifier->link = network_.connect(id, *identifier->port, identifier->destination);
  identifier->link->send(message);
  identifier->state = State::request_sent;
  expect(*identifier, now + kAnswerTime);
  return 0;
}

bool Manager::request(Id listener_id, std::unique_ptr<Link>& link, const Message& message) {
  Identifier* const listener = of(listener_id);
  if (listener == nullptr || listener->state != State::listening) return true;  // the link ends
  const Kind expected = listener->datagrams() ? Kind::datagram_request : Kind::request;
  if (message.kind != expected) return true;  // a stranger
  if (listener->room == 0) return false;
  Identifier& child = add(*listener->channel, 0, listener->port_space);
  if (assign_device(child, message.target) != 0 && listener->device) {
    child.device = listener->device;
  }
  if (!child.device) {
    link->send({.kind = Kind::reject, .status = kInvalidServiceId});
    identifiers_.erase(child.id);
    return true;
  }
  --listener->room;
  const auto family_of = [](const Address& address) -> std::uint16_t {
    return is_ipv4(address) ? AF_INET : AF_INET6;
  };
  child.source = {family_of(message.target), message.target, listener->source.port};
  child.destination = {family_of(message.source), message.source, message.source_port};
  child.state = State::request_received;
  agree(child, message);
  child.own.retry_count = message.retry_count;
  child.own.traffic_class = message.traffic_class;
  child.own.mtu = child.device->mtu;
  child.link = std::move(link);
  child.link->belongs_to(child.id);
  Event event{.about = listener->id, .child = child.id};
  event.told.uid = listener->uid;
  event.told.id = child.id;
  event.told.event = static_cast<std::uint32_t>(EventType::connect_request);
  if (child.datagrams()) {
    copy_private(message, event.told.param.ud.private_data, event.told.param.ud.private_data_len);
  } else {
    set_connection(event.told, message);
  }
  listener->channel->push(event);
  return true;
}

int Manager::accept_request(Identifier& identifier, const rdma_ucm_conn_param& offer,
                            const rdma_ucm_ece& ece) {
  Message message;
  message.kind = Kind::reply;
  if (!put_private(private_of(offer), message)) return EINVAL;
  fill(identifier, offer, ece, message);
  identifier.link->send(message);
  identifier.state = State::reply_sent;
  expect(identifier, now + kAnswerTime);
  return 0;
}

int Manager::accept_datagrams(Identifier& identifier, const rdma_ucm_conn_param& offer,
                              const rdma_ucm_ece& ece) {
  Message message;
  message.kind = Kind::datagram_reply;
  if (!put_private(private_of(offer), message)) return EINVAL;
  fill(identifier, offer, ece, message);
  message.qkey = identifier.own.qkey = kDefaultQkey;
  identifier.link->send(message);
  identifier.link.reset();
  identifier.state = State::ended;
  return 0;
}

int Manager::accept(Channel& channel, Id id, std::uint64_t uid, const rdma_ucm_conn_param* offer,
                    const rdma_ucm_ece& ece) {
  Identifier* identifier = nullptr;
  if (const int error = find_bound(channel, id, identifier)) return error;
  if (offer != nullptr) {
    if (identifier->state != State::request_received) return EINVAL;
    const int error = identifier->datagrams() ? accept_datagrams(*identifier, *offer, ece)
                                              : accept_request(*identifier, *offer, ece);
    if (error == 0) identifier->uid = uid;
    return error;
  }
  if (identifier->state != State::reply_received) return EINVAL;
  identifier->state = State::established;
  if (identifier->link) {
    identifier->link->send({.kind = Kind::ready});
  } else {  // it was lost in the meantime
    disconnected(*identifier, 0);
  }
  return 0;
}

int Manager::reject(Channel& channel, Id id, std::span<const std::uint8_t> private_data,
                    Reason reason) {
  Identifier* identifier = nullptr;
  if (const int error = find_bound(channel, id, identifier)) return error;
  const bool asked =
      identifier->state == State::request_received || identifier->state == State::reply_received;
  if (!asked || !identifier->link) return EINVAL;
  Message message;
  message.kind = identifier->datagrams() ? Kind::datagram_reply : Kind::reject;
  message.status = reason;
  if (identifier->datagrams()) message.status = kDatagramRejected;
  if (!put_private(private_data, message)) return EINVAL;
  identifier->link->send(message);
  identifier->link.reset();
  identifier->state = State::ended;
  return 0;
}

void Manager::on_reply(Identifier& identifier, const Message& message) {
  if (identifier.state != State::request_sent || identifier.datagrams()) return;
  agree(identifier, message);
  identifier.state = State::reply_received;
  identifier.deadline = Time::max();
  tell_with(identifier, EventType::connect_response, message);
}

void Manager::on_datagram_reply(Identifier& identifier, const Message& message) {
  if (identifier.state != State::request_sent || !identifier.datagrams()) return;
  identifier.peer = terms_of(message);
  identifier.state = State::ended;
  identifier.deadline = Time::max();
  const bool accepted = message.status == kDatagramAccepted;
  tell_with(identifier, accepted ? EventType::established : EventType::unreachable, message);
}

}  // namespace railgauge::softroce::cm
