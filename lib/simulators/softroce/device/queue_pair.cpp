#include "softroce/device/queue_pair.hpp"

#include <algorithm>
#include <array>

#include "softroce/device/context.hpp"

namespace railgauge::softroce {

namespace {

// The packets of a request that leave before answers.
constexpr unsigned kAtOnce = 2;
constexpr unsigned kCongestionExperienced = 3;  // RFC 3168: the low two bits of the traffic class
/// DSCP 48, as NICs send CNPs (mlx5: cnp_dscp under /sys/class/net/*/ecn/roce_np), so that they do
/// not wait behind the data that they are about.
constexpr std::uint8_t kNotificationClass = 48U << 2U;

bool is_answer(Operation operation) {
  switch (operation) {
    case Operation::acknowledge:
    case Operation::atomic_acknowledge:
    case Operation::read_response_first:
    case Operation::read_response_middle:
    case Operation::read_response_last:
    case Operation::read_response_only: return true;
    default: return false;
  }
}

ibv_wc_opcode completed(ibv_wr_opcode opcode) {
  switch (opcode) {
    case IBV_WR_RDMA_WRITE:
    case IBV_WR_RDMA_WRITE_WITH_IMM: return IBV_WC_RDMA_WRITE;
    case IBV_WR_RDMA_READ: return IBV_WC_RDMA_READ;
    case IBV_WR_ATOMIC_CMP_AND_SWP: return IBV_WC_COMP_SWAP;
    case IBV_WR_ATOMIC_FETCH_AND_ADD: return IBV_WC_FETCH_ADD;
    case IBV_WR_LOCAL_INV: return IBV_WC_LOCAL_INV;
    case IBV_WR_BIND_MW: return IBV_WC_BIND_MW;
    default: return IBV_WC_SEND;
  }
}

}  // namespace

Service QueuePair::service() const {
  if (datagram()) return Service::datagram;
  return reliable() ? Service::reliable : Service::unreliable;
}

bool QueuePair::may_receive() const {
  const ibv_qp_state state = qp_base.state;
  return state == IBV_QPS_RTR || state == IBV_QPS_RTS || state == IBV_QPS_SQD ||
         state == IBV_QPS_SQE;
}

bool QueuePair::is_peers(const Arrival& arrival, bool expected) {
  if (arrival.source != path.destination) return false;
  if (arrival.source_port == kRocePort || arrival.source_port == peer_port) return true;
  switch (port.outbox.holder(arrival.source, arrival.source_port)) {
    case PortHolder::device: break;
    case PortHolder::another_user: return false;
    case PortHolder::unknown:
      if (peer_port != kRocePort || !expected) return false;
  }
  peer_port = arrival.source_port;
  return true;
}

/// Whether its number is near the one that is next, which nobody but the peer knows.
bool QueuePair::expects(const Packet& packet) const {
  if (is_answer(packet.operation)) return requester.outstanding(packet.psn);
  const std::int32_t ahead = psn_distance(packet.psn, responder.expected());
  return !reliable() || (ahead >= 0 && ahead < static_cast<std::int32_t>(EarlyPackets::kFarthest));
}

void QueuePair::deliver(const Packet& packet, const Arrival& arrival) {
  if (is_congestion_notification(packet)) return slow_down(arrival);
  if (packet.service != service() || !may_receive()) {
    ++port.counters.unexpected;
    return;
  }
  if (datagram()) return receive_datagram(*this, packet, arrival);
  if (!is_peers(arrival, expects(packet))) {
    ++port.counters.unexpected;
    return;
  }
  if ((arrival.traffic_class & kCongestionExperienced) == kCongestionExperienced) {
    note_congestion();
  }
  if (!established) {
    established = true;
    if (qp_base.state == IBV_QPS_RTR) {
      context_of(qp_base.context).events.raise(IBV_EVENT_COMM_EST, verbs());
    }
  }
  if (is_answer(packet.operation)) return requester.receive(packet);
  responder.receive(packet);
}

void QueuePair::slow_down(const Arrival& arrival) {
  if (datagram() || !is_peers(arrival, false)) {
    ++port.counters.unexpected;
    return;
  }
  if (port.ignores_cnps) {
    ++port.counters.rp_cnp_ignored;
    return;
  }
  ++port.counters.rp_cnp_handled;
  reaction.congestion_notification(port.now);
}

void QueuePair::note_congestion() {
  ++port.counters.np_ecn_marked_roce_packets;
  if (!notification.marked(port.now)) return;
  Packet packet{.service = Service::congestion, .backward_ecn = true};
  packet.queue_pair = attributes.dest_qp_num;
  Path back = path;
  back.traffic_class = kNotificationClass;
  port.send(back, packet, {});
  ++port.counters.np_cnp_sent;
}

bool QueuePair::paused() {
  const bool by_request = datagram() && !send_queue.all_sent();
  const Path& next = by_request ? send_queue.current().path : path;
  return port.pause.holds(next.traffic_class, port.now);
}

bool QueuePair::transmit(unsigned burst) {
  if (doomed) fail(IBV_EVENT_QP_FATAL);
  if (paused()) {
    requester.wait_without_blame();
    return false;
  }
  // A short message leaves before the acknowledgement of the one that it answers.
  if (may_send()) requester.transmit(std::min(kAtOnce, burst));
  unsigned budget = burst;
  bool more = may_receive() && !datagram() && responder.transmit(budget);
  if (may_send()) more = requester.transmit(budget) || more;
  return more;
}

bool QueuePair::look_at_receive(Receive& out) const {
  return (shared() != nullptr ? shared()->queue : receive_queue).look(out);
}

bool QueuePair::take_receive(Receive& out) {
  return shared() != nullptr ? shared()->take(out) : receive_queue.take(out);
}

void QueuePair::complete_send(const SendRequest& request, ibv_wc_status status) {
  const bool wanted = signal_all || (request.flags & IBV_SEND_SIGNALED) != 0;
  if (status == IBV_WC_SUCCESS && !wanted) return;
  ibv_wc wc{};
  wc.wr_id = request.id;
  wc.status = status;
  wc.opcode = completed(request.opcode);
  wc.byte_len = static_cast<std::uint32_t>(request.length);
  wc.qp_num = number();
  complete(send_completions(), wc, false);
}

void QueuePair::complete_receive(const ibv_wc& wc, bool solicited) {
  ibv_wc own = wc;
  own.qp_num = number();
  complete(receive_completions(), own, solicited);
}

void QueuePair::complete(CompletionQueue& queue, const ibv_wc& wc, bool solicited) {
  queue.add(wc, solicited, port.now);
  if (!queue.broken()) return;
  doomed = true;  // who calls has not finished with the request
  port.want(*this);
}

void QueuePair::fail(std::optional<ibv_event_type> event) {
  if (qp_base.state == IBV_QPS_ERR) return;
  qp_base.state = IBV_QPS_ERR;
  if (port.shortcut) port.shortcut->publish(*this);
  flush_sends();
  flush_receives();
  AsyncEvents& events = context_of(qp_base.context).events;
  if (event) events.raise(*event, verbs());
  if (shared() != nullptr) events.raise(IBV_EVENT_QP_LAST_WQE_REACHED, verbs());
}

void QueuePair::fail_sends() {
  qp_base.state = IBV_QPS_SQE;
  flush_sends();
}

void QueuePair::flush_sends() {
  for (; !send_queue.empty(); send_queue.pop()) {
    complete_send(send_queue.oldest(), IBV_WC_WR_FLUSH_ERR);
  }
  requester.start(requester.next_psn());
}

void QueuePair::flush_receives() {
  Receive receive;
  const auto flush = [&] {
    ibv_wc wc{};
    wc.wr_id = receive.id;
    wc.status = IBV_WC_WR_FLUSH_ERR;
    wc.opcode = IBV_WC_RECV;
    complete_receive(wc, true);
  };
  if (responder.take_unfinished(receive)) flush();
  while (receive_queue.take(receive)) flush();
}

void QueuePair::send_queue_drained() {
  if (drained_told) return;
  drained_told = true;
  context_of(qp_base.context).events.raise(IBV_EVENT_SQ_DRAINED, verbs());
}

void QueuePair::reset() {
  qp_base.state = IBV_QPS_RESET;
  if (port.shortcut) port.shortcut->forget(*this);
  shortcut_peer.reset();
  attributes = {};
  port.outbox.release(path);
  path = {};
  peer_port = kRocePort;
  doomed = false;
  established = false;
  drained_told = true;
  send_queue.clear();
  receive_queue.clear();
  requester.start(0);
  responder.start(0);
  reaction = ReactionPoint(port.line_bits_per_second);
  notification = NotificationPoint(port.line_bits_per_second);
  send_completions().forget(number());
  receive_completions().forget(number());
}

}  // namespace railgauge::softroce
