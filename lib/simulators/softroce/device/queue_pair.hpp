#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "softroce/device/completion_queue.hpp"
#include "softroce/device/port.hpp"
#include "softroce/device/requester.hpp"
#include "softroce/device/responder.hpp"
#include "softroce/device/work_queues.hpp"
#include "softroce/faults/dcqcn.hpp"

namespace railgauge::softroce {

/// One queue pair: RC, UC or UD. It is always an ibv_qp_ex, so that one type serves both
/// interfaces.
struct QueuePair : ibv_qp_ex {
  explicit QueuePair(Port& its_port) : port(its_port), requester(*this), responder(*this) {}

  Port& port;
  ibv_qp_attr attributes{};  ///< as set by ibv_modify_qp(); the state itself is qp_base.state
  ibv_qp_cap capacity{};
  bool signal_all = false;
  Path path{};
  std::uint32_t mtu = kMaxMtuBytes;
  SendQueue send_queue;
  ReceiveQueue receive_queue;
  Requester requester;
  Responder responder;
  ReactionPoint reaction{port.line_bits_per_second};
  NotificationPoint notification{port.line_bits_per_second};
  std::unique_ptr<ShortcutPeer> shortcut_peer;  ///< null: the peer is only reachable over the wire
  EventCount async_events;
  bool listed = false;                  ///< in the port's list of queue pairs that want to send
  std::uint16_t peer_port = kRocePort;  ///< another one that the peer is known to send from
  bool established = false;             ///< has had a packet; IBV_EVENT_COMM_EST was raised
  bool doomed = false;                  ///< one of its completions was lost, and the port is strict
  bool drained_told = true;             ///< IBV_EVENT_SQ_DRAINED was raised, or not requested
  std::optional<int> build_error{};     ///< what wr_complete() will return
  std::uint64_t identity = 0;           ///< no other queue pair of the port has or had it

  /// In whose name it uses keys.
  Accessor accessor() const { return {qp_base.pd, identity}; }

  ibv_qp* verbs() { return &qp_base; }
  CompletionQueue& send_completions() const { return *queue_of(qp_base.send_cq); }
  CompletionQueue& receive_completions() const { return *queue_of(qp_base.recv_cq); }
  SharedReceiveQueue* shared() const { return static_cast<SharedReceiveQueue*>(qp_base.srq); }
  /// Whose memory receives name: a shared receive queue may be of another domain (10.2.9.1).
  const ibv_pd* receive_domain() const { return shared() != nullptr ? shared()->pd : qp_base.pd; }
  std::uint32_t number() const { return qp_base.qp_num; }
  bool reliable() const { return qp_base.qp_type == IBV_QPT_RC; }
  bool datagram() const { return qp_base.qp_type == IBV_QPT_UD; }
  Service service() const;
  bool may_send() const { return qp_base.state == IBV_QPS_RTS || qp_base.state == IBV_QPS_SQD; }
  bool may_receive() const;

  /// Whether the peer sent it, and no other process that can send from an address of the peer's
  /// host. Only the device can hold the RoCE port of its address. Any other port has to be one of
  /// the same user's; on another host, the first from which an `expected` packet came.
  bool is_peers(const Arrival& arrival, bool expected);
  /// A packet for this queue pair.
  void deliver(const Packet& packet, const Arrival& arrival);
  /// Whether its port must not send packets of its priority.
  bool paused();
  /// One turn: enough to fill sendmmsg(), few enough to be fair to others.
  static constexpr unsigned kBurst = 64;
  /// Sends what it may, at most about so many packets. True if it could send more at once.
  bool transmit(unsigned burst = kBurst);

  /// The next receive, which stays where it is, or is taken. False if there is none.
  bool look_at_receive(Receive& out) const;
  bool take_receive(Receive& out);
  void complete_send(const SendRequest& request, ibv_wc_status status);
  /// Nothing is outstanding any more in the send queue drained state.
  void send_queue_drained();
  void complete_receive(const ibv_wc& wc, bool solicited);

  /// To the error state: flushes everything outstanding and raises `event`, if given.
  void fail(std::optional<ibv_event_type> event = {});
  /// To the send queue error state, for UC and UD (InfiniBand volume 1, 10.3.1): flushes sends
  /// only.
  void fail_sends();
  void flush_sends();
  void flush_receives();
  /// To the reset state: forgets everything.
  void reset();

  static CompletionQueue* queue_of(ibv_cq* cq) {
    return static_cast<CompletionQueue*>(reinterpret_cast<ibv_cq_ex*>(cq));
  }

 private:
  bool expects(const Packet& packet) const;
  void note_congestion();
  void complete(CompletionQueue& queue, const ibv_wc& wc, bool solicited);
  /// A congestion notification. It counts if it comes from the peer: anybody could send one to a
  /// queue pair that has none, and slow it down.
  void slow_down(const Arrival& arrival);
};

inline QueuePair& queue_pair_of(ibv_qp* qp) {
  return *static_cast<QueuePair*>(reinterpret_cast<ibv_qp_ex*>(qp));
}
inline QueuePair& queue_pair_of(ibv_qp_ex* qp) {
  return *static_cast<QueuePair*>(qp);
}

/// The receiving half of a UD queue pair (InfiniBand volume 1, 9.8.3): one packet, one message,
/// with the global route header (for IPv4: 20 unused bytes, then the IP header; annex A17.9.1) in
/// the first 40 bytes. Nothing that a peer sends changes the queue pair: what has a wrong queue
/// key, is longer than a path MTU, or finds no receive that holds it, is dropped without a word,
/// counted, and takes no receive (9.9.3.1, class D). With a shared receive queue, too, though class
/// E would let a peer use up what is posted there for others. A receive whose own memory is not
/// valid is the program's mistake: it completes in error, and so does everything else that waits
/// (class A).
void receive_datagram(QueuePair& queue_pair, const Packet& packet, const Arrival& arrival);

}  // namespace railgauge::softroce
