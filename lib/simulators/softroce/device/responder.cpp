// What the responder does with requests.

#include "softroce/device/responder.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "softroce/device/queue_pair.hpp"

namespace railgauge::softroce {

namespace {

// A sequence error is reported again after this long, in case the report or the retransmission was
// lost.
constexpr nanoseconds kTellAgain = std::chrono::microseconds(300);

// How long it is missing after the rest has come, at least.
constexpr nanoseconds kWithheld = std::chrono::microseconds(20);

constexpr auto kFarthestAhead = static_cast<std::int32_t>(EarlyPackets::kFarthest);

bool is_send(Operation operation) {
  return operation <= Operation::send_only_with_immediate ||
         operation == Operation::send_last_with_invalidate ||
         operation == Operation::send_only_with_invalidate;
}

}  // namespace

void Responder::start(Psn first) {
  expected_ = first & kMask24;
  message_number_ = 0;
  message_ = Message::none;
  receive_taken_ = false;
  early_.clear();
  withheld_.clear();
  unsettled_.reset();
  lost_.reset();
  answers_.clear();
  atomics_.fill({});
  acknowledge_owed_ = false;
  refusal_.reset();
  failure_.reset();
  told_of_gap_ = false;
}

void Responder::receive(const Packet& packet) {
  if (failure_) return;
  const std::int32_t distance = psn_distance(packet.psn, expected_);
  if (distance == 0) {
    in_order(packet);
    if (!early_.empty()) catch_up();
    return;
  }
  if (!qp_.reliable()) {
    // UC: the message in progress is lost; the next one starts wherever it is (9.8.2.2).
    drop_message();
    if (!starts_message(packet.operation)) return;
    expected_ = packet.psn;
    return in_order(packet);
  }
  if (distance > 0 && qp_.port.any_order && distance < kFarthestAhead) return early(packet);
  if (distance > 0) return ahead();
  duplicate(packet);
}

void Responder::ahead() {
  ++qp_.port.counters.out_of_seq_request;
  const Time now = qp_.port.now;
  if (told_of_gap_ && now - told_at_ < kTellAgain) return;
  told_of_gap_ = true;
  told_at_ = now;
  refusal_ = static_cast<std::uint8_t>(Syndrome::sequence_error);
  qp_.port.want(qp_);
}

/// No news of a gap: what is missing is more likely on another path than lost, and the requester's
/// own timer, which knows how long answers take, tells the two apart.
void Responder::early(const Packet& packet) {
  ++qp_.port.counters.out_of_seq_request;
  if (early_.has(packet.psn)) return;
  if (packet.operation == Operation::write_only && place(packet)) {
    early_.keep_placed(packet);
  } else {
    early_.keep(packet);
  }
}

/// A WRITE that is wrong is refused when its turn comes.
bool Responder::place(const Packet& packet) {
  const std::size_t bytes = packet.payload.size();
  if (bytes == 0 || bytes > qp_.mtu || bytes != packet.dma_length) return false;
  std::byte* to = writable(packet.remote_key, packet.remote_address, bytes);
  if (to == nullptr || !put(to, packet.payload)) return false;
  const ibv_sge placed = element_at(to, bytes);
  return qp_.port.memory.shadows.copy(Copy::to_device, std::span(&placed, 1), 0, bytes);
}

void Responder::catch_up() {
  early_.drop(psn_plus(expected_, kMask24));
  while (const EarlyPackets::Early* next = early_.find(expected_)) {
    if (failure_ || !take_turn(*next)) return;
    early_.drop(psn_plus(expected_, kMask24));
  }
}

/// False if it has to come again.
bool Responder::take_turn(const EarlyPackets::Early& early) {
  const Psn turn = expected_;
  if (!early.placed || message_ != Message::none) {
    in_order(early.packet);
  } else {
    message_number_ = (message_number_ + 1) & kMask24;
    accepted(early.packet, 1);
  }
  return expected_ != turn;
}

void Responder::in_order(const Packet& packet) {
  if (message_ == Message::none) place_withheld();
  if (packet.operation == Operation::read_request) return read(packet);
  if (has_atomic(packet.operation)) return atomic(packet);
  data(packet);
}

bool Responder::fits(const Packet& packet) const {
  const Operation operation = packet.operation;
  const bool starts = starts_message(operation);
  const bool ends = ends_message(operation);
  if (starts != (message_ == Message::none)) return false;
  if (!starts && (message_ == Message::send) != is_send(operation)) return false;
  const std::size_t bytes = packet.payload.size();
  if (!ends) return bytes == qp_.mtu;
  return bytes <= qp_.mtu && (starts || bytes > 0);
}

void Responder::data(const Packet& packet) {
  if (!fits(packet)) {
    if (qp_.reliable()) return refuse(Syndrome::invalid_request, IBV_EVENT_QP_REQ_ERR);
    drop_message();
    if (!fits(packet)) return;
  }
  const bool sends = is_send(packet.operation);
  const bool needs_receive =
      sends ? starts_message(packet.operation)
            : ends_message(packet.operation) && has_immediate(packet.operation);
  if (needs_receive && !have_receive()) return;
  if (sends ? !put_send(packet) : !put_write(packet)) return;
  if (ends_message(packet.operation) && !end_message(packet)) return;
  accepted(packet, 1);
}

bool Responder::have_receive() {
  if (receive_taken_) return true;
  if (qp_.take_receive(receive_)) {
    receive_taken_ = true;
    receive_resolved_ = false;
    return true;
  }
  if (!qp_.reliable()) {
    drop_message();
    return false;
  }
  ++qp_.port.counters.send_rnr_err;
  refusal_ = not_ready(qp_.attributes.min_rnr_timer);
  told_of_gap_ = true;  // what follows until the retransmission is silently dropped
  told_at_ = qp_.port.now + not_ready_delay(*refusal_);
  qp_.port.want(qp_);
  return false;
}

bool Responder::begin_send() {
  message_ = Message::send;
  received_ = 0;
  receive_resolved_ =
      receive_resolved_ || qp_.port.memory.resolve_all(receive_.elements(), qp_.receive_domain(),
                                                       IBV_ACCESS_LOCAL_WRITE);
  landing_.begin(qp_.port.memory.shadows);
  if (!receive_resolved_) unreceivable();
  return receive_resolved_;
}

/// The memory of our own receive is not what the program said.
void Responder::unreceivable() {
  complete(Packet{}, IBV_WC_LOC_PROT_ERR);
  if (qp_.reliable()) {
    refuse(Syndrome::remote_operation, IBV_EVENT_QP_FATAL);
  } else {
    qp_.fail(IBV_EVENT_QP_FATAL);
  }
}

bool Responder::put_send(const Packet& packet) {
  if (starts_message(packet.operation) && !begin_send()) return false;
  if (received_ + packet.payload.size() > total_length(receive_.elements())) {
    if (qp_.reliable()) complete(packet, IBV_WC_LOC_LEN_ERR);
    refuse(Syndrome::invalid_request, IBV_EVENT_QP_REQ_ERR);
    return false;
  }
  if (!scatter(receive_.elements(), received_, packet.payload)) {
    unreceivable();
    return false;
  }
  received_ += packet.payload.size();
  bring(receive_.elements(), packet);
  return true;
}

void Responder::bring(std::span<const ibv_sge> elements, const Packet& packet) {
  const bool last = ends_message(packet.operation);
  landing_.arrived(qp_.port.memory.shadows, elements, received_, last);
  if (last && landing_.any()) unsettled_since(landing_.mark(), expected_);
}

void Responder::unsettled_since(ShadowTable::Mark mark, Psn psn) {
  if (!unsettled_) unsettled_ = Unsettled{mark, psn};
}

bool Responder::settle() {
  if (!unsettled_) return true;
  const Unsettled first = *std::exchange(unsettled_, {});
  if (qp_.port.memory.shadows.finish(first.since)) return true;
  lost_ = first.psn;
  return false;
}

bool Responder::begin_write(const Packet& packet) {
  message_ = Message::write;
  received_ = 0;
  landing_.begin(qp_.port.memory.shadows);
  announced_ = packet.dma_length;
  key_ = packet.remote_key;
  address_ = packet.remote_address;
  if (announced_ == 0) return true;  // no bytes, no check (9.7.4.1.5)
  if (announced_ > kLongestMessage) {
    refuse(Syndrome::invalid_request, IBV_EVENT_QP_REQ_ERR);
    return false;
  }
  if (writable(key_, address_, announced_) != nullptr) return true;
  refuse_write(packet);
  return false;
}

void Responder::refuse_write(const Packet& packet) {
  if (qp_.reliable() && receive_taken_) complete(packet, IBV_WC_LOC_ACCESS_ERR);
  refuse(Syndrome::remote_access, IBV_EVENT_QP_ACCESS_ERR);
}

std::byte* Responder::writable(std::uint32_t key, std::uint64_t address,
                               std::uint64_t bytes) const {
  if ((qp_.attributes.qp_access_flags & IBV_ACCESS_REMOTE_WRITE) == 0) return nullptr;
  return qp_.port.memory.resolve_remote(key, address, bytes, qp_.accessor(),
                                        IBV_ACCESS_REMOTE_WRITE);
}

bool Responder::put_write(const Packet& packet) {
  if (starts_message(packet.operation) && !begin_write(packet)) return false;
  const std::size_t bytes = packet.payload.size();
  const bool too_long = received_ + bytes > announced_;
  const bool too_short = ends_message(packet.operation) && received_ + bytes != announced_;
  if (too_long || too_short) {
    refuse(Syndrome::invalid_request, IBV_EVENT_QP_REQ_ERR);
    return false;
  }
  if (bytes == 0) return true;
  if (qp_.port.strict && !qp_.port.any_order && bytes < announced_ && received_ == 0) {
    withhold(packet.payload);
    received_ += bytes;
    return true;
  }
  std::byte* to = writable(key_, address_ + received_, bytes);
  if (to == nullptr || !put(to, packet.payload)) {
    refuse_write(packet);
    return false;
  }
  const ibv_sge whole = element_at(to - received_, received_ + bytes);
  received_ += bytes;
  bring(std::span(&whole, 1), packet);
  return true;
}

void Responder::withhold(std::span<const std::byte> payload) {
  withheld_.assign(payload.begin(), payload.end());
  withheld_until_ = qp_.port.now + kWithheld;
  qp_.port.arm(withheld_until_);
}

/// What waits in the outbox may be of the same memory, of a program that does not mind which of the
/// two is sent: its ICRC is of what is there now.
void Responder::place_withheld() {
  if (withheld_.empty()) return;
  qp_.port.outbox.flush();
  std::byte* to = writable(key_, address_, withheld_.size());
  if (to != nullptr && put(to, withheld_)) {  // else the program took it away
    ShadowTable& shadows = qp_.port.memory.shadows;
    const ShadowTable::Mark before = shadows.mark();
    const ibv_sge piece = element_at(to, withheld_.size());
    const bool any = shadows.start(Copy::to_device, std::span(&piece, 1), 0, withheld_.size());
    if (any) unsettled_since(before, psn_plus(expected_, kMask24));
  }
  withheld_.clear();
}

bool Responder::end_message(const Packet& packet) {
  if (has_invalidate(packet.operation) &&
      !qp_.port.memory.windows.invalidate(packet.invalidate_key, qp_.accessor())) {
    complete(packet, IBV_WC_MW_BIND_ERR);
    refuse({}, IBV_EVENT_QP_ACCESS_ERR);
    return false;
  }
  if (receive_taken_) {
    place_withheld();
    if (!settle()) {
      message_ == Message::send ? unreceivable() : refuse_write(packet);
      return false;
    }
    complete(packet, IBV_WC_SUCCESS);
  }
  message_ = Message::none;
  message_number_ = (message_number_ + 1) & kMask24;
  return true;
}

void Responder::complete(const Packet& packet, ibv_wc_status status) {
  const bool wrote = message_ == Message::write;
  ibv_wc wc{};
  wc.wr_id = receive_.id;
  wc.status = status;
  wc.opcode = wrote ? IBV_WC_RECV_RDMA_WITH_IMM : IBV_WC_RECV;
  wc.byte_len = static_cast<std::uint32_t>(received_);
  wc.src_qp = qp_.attributes.dest_qp_num;
  if (has_immediate(packet.operation)) {
    wc.wc_flags |= IBV_WC_WITH_IMM;
    wc.imm_data = packet.immediate;
  }
  if (has_invalidate(packet.operation) && status == IBV_WC_SUCCESS) {
    wc.wc_flags |= IBV_WC_WITH_INV;
    wc.invalidated_rkey = packet.invalidate_key;
  }
  receive_taken_ = false;
  qp_.complete_receive(wc, packet.solicited);
}

void Responder::accepted(const Packet& packet, std::uint32_t psns) {
  expected_ = psn_plus(expected_, psns);
  told_of_gap_ = false;
  refusal_.reset();
  if (!qp_.reliable() || !packet.ack_request) return;
  acknowledge_owed_ = true;
  qp_.port.want(qp_);
}

void Responder::drop_message() {
  // A partly filled receive stays for the next message.
  message_ = Message::none;
  received_ = 0;
}

bool Responder::take_unfinished(Receive& out) {
  if (!receive_taken_) return false;
  out = receive_;
  receive_taken_ = false;
  return true;
}

void Responder::refuse(std::optional<Syndrome> why, std::optional<ibv_event_type> event) {
  // UC silently drops a peer's mistakes and goes on (9.8.2.2; the kernel's rxe_resp.c:
  // class D).
  if (!qp_.reliable()) return drop_message();
  message_ = Message::none;
  settle();  // what was before it is told of, too
  failure_ = Failure{why, lost_.value_or(expected_), event};
  // Nothing is sent in the error state, so send what is owed first.
  if (answers_.empty()) return give_up();
  qp_.port.want(qp_);
}

void Responder::give_up() {
  const Failure failure = *failure_;
  failure_.reset();
  if (failure.why) {
    send_acknowledge(static_cast<std::uint8_t>(*failure.why), failure.psn);
  } else if (acknowledge_owed_) {
    acknowledge_what_came();
  }
  qp_.fail(failure.event);
}

}  // namespace railgauge::softroce
