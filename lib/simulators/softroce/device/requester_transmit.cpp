// What the requester sends: requests become packets.

#include <algorithm>
#include <array>

#include "softroce/device/queue_pair.hpp"
#include "softroce/device/requester.hpp"

namespace railgauge::softroce {

namespace {

// Limits on what may be unacknowledged: with these the receive buffer of an unprivileged process
// (net.core.rmem_max of 208 KiB, which Linux doubles) holds what one peer sends.
constexpr std::uint32_t kWindowBytes = 192 * 1024;
constexpr std::uint32_t kMostPackets = 256;
constexpr std::uint64_t kShort = 512;
// A READ is requested in parts of this size, so that the response never overruns our own buffer.
constexpr std::uint32_t kReadBytes = 64 * 1024;

// How long what a peer has no room for waits until it is tried again: as long as reading takes.
constexpr nanoseconds kUntilRead = std::chrono::microseconds(20);

// The shortcut's share of one turn, in packets' worth of time: 1 MiB in all.
constexpr std::uint64_t kCopiedAtOnce = std::uint64_t{128} * 1024;
constexpr unsigned kCopiedAsPacket = 16 * 1024;

struct Operations {
  Operation first, middle, last, only;
};

Operations operations_of(ibv_wr_opcode opcode) {
  using enum Operation;
  switch (opcode) {
    case IBV_WR_SEND_WITH_IMM:
      return {send_first, send_middle, send_last_with_immediate, send_only_with_immediate};
    case IBV_WR_SEND_WITH_INV:
      return {send_first, send_middle, send_last_with_invalidate, send_only_with_invalidate};
    case IBV_WR_RDMA_WRITE: return {write_first, write_middle, write_last, write_only};
    case IBV_WR_RDMA_WRITE_WITH_IMM:
      return {write_first, write_middle, write_last_with_immediate, write_only_with_immediate};
    default: return {send_first, send_middle, send_last, send_only};
  }
}

Operation operation_of(ibv_wr_opcode opcode, bool first, bool last) {
  const Operations all = operations_of(opcode);
  if (first) return last ? all.only : all.first;
  return last ? all.last : all.middle;
}

}  // namespace

void Requester::start(Psn first) {
  oldest_ = next_ = newest_ = first & kMask24;
  reads_.clear();
  early_.clear();
  round_trip_ = RoundTrip(qp_.port.line_bits_per_second);
  largest_window_ = std::clamp(kWindowBytes / qp_.mtu, 16U, kMostPackets);
  window_ = largest_window_;
  window_before_ = 0;
  not_ready_left_ = qp_.attributes.rnr_retry;
  timer_ = Time::max();
  patience_.satisfied();
  holding_ = false;
  not_ready_until_ = Time{};
  gone_back_to_ = ~0U;
  copied_ = 0;
}

bool Requester::transmit(unsigned budget) {
  if (holding_ && qp_.port.now < hold_until_) return false;
  holding_ = false;
  SendQueue& queue = qp_.send_queue;
  while (!queue.all_sent()) {
    SendRequest& request = queue.current();
    if (!request.started && start_request(request) != Start::ready) return false;
    fetch_ahead();
    if (request.by_shortcut && !copy(request, budget)) return true;
    if (request.packets > 0) {
      if (blocked(request)) return false;
      if (budget-- == 0) return true;
      if (must_wait_for_rate(request) || must_wait_for_room(request)) return false;
      if (!send_packet(request)) return unsendable();
      if (next_ != request.end_psn()) continue;
    }
    queue.advance();
    if (!qp_.reliable()) oldest_ = next_;
    complete_answered();
  }
  return false;
}

Requester::Start Requester::start_request(SendRequest& request) {
  const bool fenced = (request.flags & IBV_SEND_FENCE) != 0 && !reads_.empty();
  if (fenced || qp_.qp_base.state == IBV_QPS_SQD) return Start::wait;
  const bool first_in_line = qp_.send_queue.current_is_oldest();
  // Do not execute what has no packets before everything that has is answered.
  const bool by_shortcut = takes_shortcut(request);
  if ((request.is_local() || by_shortcut) && !first_in_line) return Start::wait;
  const ibv_wc_status status = prepare(request);
  if (status != IBV_WC_SUCCESS) {
    // Requests before it complete first.
    if (!first_in_line) return Start::wait;
    fail(status);
    return Start::failed;
  }
  request.started = true;
  request.by_shortcut = by_shortcut;
  request.first_psn = next_;
  const std::uint64_t packets = (request.length + qp_.mtu - 1) / qp_.mtu;
  request.packets =
      request.is_local() ? 0 : static_cast<std::uint32_t>(std::max<std::uint64_t>(packets, 1));
  return Start::ready;
}

ibv_wc_status Requester::prepare(SendRequest& request) {
  const std::uint64_t longest = qp_.datagram() ? qp_.mtu : kLongestMessage;
  if (request.length > longest) return IBV_WC_LOC_LEN_ERR;
  if (request.is_atomic() && request.length != sizeof(std::uint64_t)) return IBV_WC_LOC_LEN_ERR;
  if (request.is_answered() && qp_.attributes.max_rd_atomic == 0) return IBV_WC_LOC_QP_OP_ERR;
  if (request.is_local()) return execute_here(request);
  if ((request.flags & IBV_SEND_INLINE) != 0) return IBV_WC_SUCCESS;
  const unsigned access = request.is_answered() ? IBV_ACCESS_LOCAL_WRITE : 0;
  const bool there =
      qp_.port.memory.resolve_all(qp_.send_queue.elements(request), qp_.qp_base.pd, access) &&
      fetch(request);
  return there ? IBV_WC_SUCCESS : IBV_WC_LOC_PROT_ERR;
}

/// From the GPU, if it sends what is there; its elements are resolved.
bool Requester::fetch(SendRequest& request) {
  ShadowTable& shadows = qp_.port.memory.shadows;
  if (shadows.empty() || !request.sends_memory()) return true;
  if (request.fetched) return shadows.finish(*request.fetched);
  return shadows.copy(Copy::from_device, qp_.send_queue.elements(request), 0, request.length);
}

/// The next request's copy goes on while this one is sent. Not if what it sends may be what this
/// one brings.
void Requester::fetch_ahead() {
  ShadowTable& shadows = qp_.port.memory.shadows;
  if (shadows.empty()) return;
  SendRequest* const next = qp_.send_queue.after_current();
  if (next == nullptr || next->started || next->fetched || !next->sends_memory()) return;
  if ((next->flags & IBV_SEND_FENCE) != 0) return;
  std::array<ibv_sge, kMaxElements> storage{};
  const std::span elements(storage.data(), next->elements);
  std::ranges::copy(qp_.send_queue.elements(*next), elements.begin());
  if (!qp_.port.memory.resolve_all(elements, qp_.qp_base.pd, 0)) return;
  next->fetched = shadows.mark();
  shadows.start(Copy::from_device, elements, 0, next->length);
}

ibv_wc_status Requester::execute_here(const SendRequest& request) {
  MemoryTable& memory = qp_.port.memory;
  const bool done = request.opcode == IBV_WR_BIND_MW
                        ? memory.bind(qp_.send_queue.binding(request), qp_.accessor())
                        : memory.windows.invalidate(request.invalidate_key, qp_.accessor());
  return done ? IBV_WC_SUCCESS : IBV_WC_MW_BIND_ERR;
}

bool Requester::takes_shortcut(const SendRequest& request) const {
  return qp_.shortcut_peer && qp_.port.shortcut && qp_.port.link_up && request.length > 0 &&
         (request.opcode == IBV_WR_RDMA_WRITE || request.is_read());
}

// True if it is done, with no packets left to send, or must take the wire; false if there is more
// to copy.
bool Requester::copy(SendRequest& request, unsigned& budget) {
  while (copied_ < request.length) {
    if (budget == 0) return false;
    const std::uint64_t bytes = std::min(request.length - copied_, kCopiedAtOnce);
    budget -= std::min(budget, 1 + static_cast<unsigned>(bytes) / kCopiedAsPacket);
    if (!qp_.shortcut_peer->carry_out(request, qp_.send_queue.elements(request), copied_, bytes)) {
      if (qp_.shortcut_peer->lost()) qp_.shortcut_peer.reset();
      return leave_shortcut(request);
    }
    copied_ += bytes;
  }
  if (request.is_read() &&
      !qp_.port.memory.shadows.copy(Copy::to_device, qp_.send_queue.elements(request), 0,
                                    request.length)) {
    return leave_shortcut(request);
  }
  ++qp_.port.counters.shortcut_operations;
  qp_.port.counters.shortcut_bytes += request.length;
  request.packets = 0;
  return leave_shortcut(request);
}

bool Requester::leave_shortcut(SendRequest& request) {
  request.by_shortcut = false;
  copied_ = 0;
  return true;
}

bool Requester::blocked(const SendRequest& request) const {
  if (!qp_.reliable()) return false;
  // The window counts bytes, so it holds more short messages.
  const std::uint32_t times = request.length <= kShort ? kMostPackets / largest_window_ : 1;
  if (psn_distance(next_, oldest_) >= static_cast<std::int32_t>(window_ * times)) return true;
  return request.is_answered() && reads_.size() >= qp_.attributes.max_rd_atomic;
}

bool Requester::must_wait_for_rate(const SendRequest& request) {
  if (!qp_.reaction.limited() || request.is_answered()) return false;
  const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(request.length, qp_.mtu));
  const Time when = qp_.reaction.may_send(bytes, qp_.port.now);
  if (when > qp_.port.now) {
    hold_until(when);
    wait_without_blame();
    return true;
  }
  qp_.reaction.sent(bytes, qp_.port.now);
  return false;
}

/// An answer cannot be late before the request has left. A retransmission is not a new request, or
/// it would never give up.
void Requester::wait_without_blame() {
  if (next_ == newest_) patience_.satisfied();
  if (timer_ != Time::max()) restart_timer();
}

bool Requester::must_wait_for_room(const SendRequest& request) {
  if (qp_.reliable()) return false;
  const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(request.length, qp_.mtu));
  const Path& path = qp_.datagram() ? request.path : qp_.path;
  if (qp_.port.outbox.take_room(path, bytes, qp_.port.now)) return false;
  hold_until(qp_.port.now + kUntilRead);
  return true;
}

void Requester::hold_until(Time time) {
  holding_ = true;
  hold_until_ = time;
  qp_.port.arm(time);
}

bool Requester::send_packet(SendRequest& request) {
  if (request.is_read()) return send_read_request(request);
  if (request.is_atomic()) return send_atomic(request);
  return send_data(request);
}

/// The program has unmapped what it sends. Requests before it complete first.
bool Requester::unsendable() {
  if (qp_.send_queue.current_is_oldest()) fail(IBV_WC_LOC_PROT_ERR);
  return false;
}

bool Requester::send_read_request(SendRequest& request) {
  // Parts end at the same PSNs when requested again: the responder tracks the next PSN it expects,
  // and takes a request that begins before and ends after that for a repeated one.
  const std::uint32_t part = std::max(kReadBytes / qp_.mtu, 1U);
  const auto done = static_cast<std::uint32_t>(psn_distance(next_, request.first_psn));
  const std::uint32_t packets = std::min(request.packets - done, part - done % part);
  const std::uint64_t offset = std::uint64_t{done} * qp_.mtu;
  Packet packet{.operation = Operation::read_request};
  packet.remote_address = request.remote_address + offset;
  packet.remote_key = request.remote_key;
  packet.dma_length = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(request.length - offset, std::uint64_t{packets} * qp_.mtu));
  packet.ack_request = true;
  if (!put(request, packet, {}, packets)) return false;
  reads_.push_back(next_);
  return true;
}

bool Requester::send_atomic(SendRequest& request) {
  const bool swaps = request.opcode == IBV_WR_ATOMIC_CMP_AND_SWP;
  Packet packet{.operation = swaps ? Operation::compare_and_swap : Operation::fetch_and_add};
  packet.remote_address = request.remote_address;
  packet.remote_key = request.remote_key;
  packet.swap_or_add = request.swap_or_add;
  packet.compare = request.compare;
  packet.ack_request = true;
  if (!put(request, packet, {}, 1)) return false;
  reads_.push_back(next_);
  return true;
}

bool Requester::send_data(SendRequest& request) {
  const auto index = static_cast<std::uint32_t>(psn_distance(next_, request.first_psn));
  const bool last = index + 1 == request.packets;
  const std::uint64_t offset = std::uint64_t{index} * qp_.mtu;
  const auto bytes =
      static_cast<std::size_t>(std::min<std::uint64_t>(request.length - offset, qp_.mtu));
  // Where packets may overtake each other, each is a WRITE of its own, which says where its bytes
  // belong. Not with immediate data, whose completion tells the length of the whole message.
  const bool alone = qp_.port.any_order && qp_.reliable() && request.opcode == IBV_WR_RDMA_WRITE;
  Packet packet{.operation = operation_of(request.opcode, alone || index == 0, alone || last)};
  packet.remote_address = request.remote_address + (alone ? offset : 0);
  packet.remote_key = request.remote_key;
  packet.dma_length = static_cast<std::uint32_t>(alone ? bytes : request.length);
  packet.immediate = request.immediate;
  packet.invalidate_key = request.invalidate_key;
  packet.queue_key = request.queue_key;
  packet.source_queue_pair = qp_.number();
  packet.solicited = last && (request.flags & IBV_SEND_SOLICITED) != 0;
  const bool window_part_ends = (next_ + 1) % std::max(window_ / 4, 1U) == 0;
  packet.ack_request = qp_.reliable() && (last || window_part_ends);
  std::array<iovec, kMaxElements> pieces;  // NOLINT(cppcoreguidelines-pro-type-member-init): hot
  const auto count = gather(qp_.send_queue.elements(request), offset, bytes, pieces.data());
  return put(request, packet, {pieces.data(), count}, 1);
}

bool Requester::put(const SendRequest& request, Packet& packet, std::span<const iovec> payload,
                    std::uint32_t psns) {
  const bool to_datagram = qp_.datagram();
  packet.service = qp_.service();
  packet.queue_pair = to_datagram ? request.remote_queue_pair : qp_.attributes.dest_qp_num;
  packet.psn = next_;
  const Time now = qp_.port.now;
  if (!qp_.port.send(to_datagram ? request.path : qp_.path, packet, payload)) return false;
  if (psn_distance(next_, newest_) < 0) {
    ++qp_.port.counters.retransmitted_pkts;
  } else if (packet.ack_request) {
    round_trip_.sent(next_, now);
  }
  next_ = psn_plus(next_, psns);
  if (psn_distance(next_, newest_) > 0) newest_ = next_;
  if (!qp_.reliable() || timer_ != Time::max()) return true;
  patience_.satisfied();
  restart_timer();
  return true;
}

}  // namespace railgauge::softroce
