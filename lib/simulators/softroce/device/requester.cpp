// What the requester does about answers and their absence.

#include "softroce/device/requester.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "softroce/device/acknowledgement.hpp"
#include "softroce/device/queue_pair.hpp"

namespace railgauge::softroce {

namespace {

constexpr unsigned kForEver = 7;  // rnr_retry (InfiniBand volume 1, 9.7.5.2.8)
// A queue pair with timeout 0 waits for ever; it still retransmits from time to time.
constexpr nanoseconds kAskAgain = std::chrono::seconds(1);
// What is sent to a process that stands still fills its socket.
constexpr nanoseconds kAskSleeper = std::chrono::milliseconds(10);
// With fewer packets than this in flight, the timeout reveals a loss, not a later packet.
constexpr std::uint32_t kLeastWindow = 4;
constexpr std::uint32_t kCalmWindow = 16;

}  // namespace

bool Requester::outstanding(Psn psn) const {
  return psn_distance(psn, oldest_) >= 0 && psn_distance(psn, newest_) < 0;
}

void Requester::receive(const Packet& packet) {
  answer(packet);
  if (!early_.empty()) catch_up();
}

void Requester::acknowledge(const Packet& packet) {
  if (!outstanding(packet.psn)) return;  // late, or not for us
  switch (syndrome_class(packet.syndrome)) {
    case SyndromeClass::acknowledge:
      if (!answered_up_to(psn_plus(packet.psn, 1))) not_yet(packet);
      return;
    case SyndromeClass::not_ready:
      if (answered_up_to(packet.psn)) return not_ready(packet);
      return not_yet(packet);
    case SyndromeClass::negative:
      if (answered_up_to(packet.psn)) return negative(packet);
      return not_yet(packet);
    default: return;
  }
}

/// The response to a READ before this answer has not come: it is lost, or on another path.
void Requester::not_yet(const Packet& packet) {
  if (!qp_.port.any_order) return go_back();
  if (psn_distance(packet.psn, oldest_) < static_cast<std::int32_t>(EarlyPackets::kFarthest)) {
    early_.keep(packet);
  }
}

/// After a response that others may have waited for.
void Requester::catch_up() {
  for (Psn psn = oldest_; !early_.empty() && psn_distance(psn, newest_) < 0;
       psn = psn_plus(psn, 1)) {
    const EarlyPackets::Early* const next = early_.find(psn);
    if (next == nullptr) continue;
    const Packet packet = next->packet;  // a view into what stays until it is dropped
    if (!answered_up_to(psn)) return;
    early_.drop(psn);
    answer(packet);
  }
  if (all_answered()) early_.clear();
}

void Requester::answer(const Packet& packet) {
  switch (packet.operation) {
    case Operation::acknowledge: return acknowledge(packet);
    case Operation::atomic_acknowledge: return atomic_response(packet);
    default: return read_response(packet);
  }
}

bool Requester::answered_up_to(Psn psn) {
  // An acknowledgement covers all SENDs and WRITEs before it. A READ needs its response: one that
  // has not arrived before this answer is lost (InfiniBand volume 1, 9.7.5.1.2).
  Psn to = oldest_;
  bool complete = true;
  SendQueue& queue = qp_.send_queue;
  while (psn_distance(psn, to) > 0) {
    const SendRequest& request = queue.oldest();
    if (request.is_answered()) {
      complete = false;
      break;
    }
    to = psn_distance(psn, request.end_psn()) < 0 ? psn : request.end_psn();
    progressed(to);
  }
  return complete;
}

void Requester::progressed(Psn to) {
  const auto packets = static_cast<std::uint32_t>(psn_distance(to, oldest_));
  const Time now = qp_.port.now;
  oldest_ = to;
  if (psn_distance(next_, oldest_) < 0) was_late();
  if (next_ == newest_) window_before_ = 0;
  while (!reads_.empty() && psn_distance(oldest_, reads_.front()) >= 0) reads_.pop_front();
  round_trip_.answered(to, now);
  round_trip_.progress();
  not_ready_left_ = qp_.attributes.rnr_retry;
  patience_.satisfied();
  answered_in_window_ += packets;
  if (answered_in_window_ >= window_) {
    answered_in_window_ = 0;
    window_ = std::min(window_ + 1, largest_window_);
  }
  timer_ = Time::max();
  if (!all_answered()) restart_timer();
  complete_answered();
  qp_.port.want(qp_);
}

/// An answer to what was not sent again: nothing was lost, but waited in a queue, as an
/// acknowledgement does behind data that go in its direction. A NIC waits for longer, so a time-out
/// before must cost nothing (the idea is F-RTO's, RFC 5682).
void Requester::was_late() {
  next_ = oldest_;
  if (window_before_ == 0) return;  // it was told to go back
  window_ = std::max(window_, window_before_);
  round_trip_.premature();
}

void Requester::complete_answered() {
  SendQueue& queue = qp_.send_queue;
  while (!queue.empty() && queue.oldest().started &&
         psn_distance(oldest_, queue.oldest().end_psn()) >= 0) {
    qp_.complete_send(queue.oldest(), IBV_WC_SUCCESS);
    queue.pop();
  }
  if (qp_.qp_base.state == IBV_QPS_SQD && drained()) qp_.send_queue_drained();
}

bool Requester::accept_response(const Packet& packet) {
  if (!outstanding(packet.psn)) return false;
  if (!answered_up_to(packet.psn)) {
    not_yet(packet);
    return false;
  }
  return !qp_.send_queue.empty() && qp_.send_queue.oldest().started;
}

void Requester::read_response(const Packet& packet) {
  if (!accept_response(packet)) return;
  SendRequest& request = qp_.send_queue.oldest();
  if (!request.is_read()) return;
  const auto offset =
      std::uint64_t{static_cast<std::uint32_t>(psn_distance(packet.psn, request.first_psn))} *
      qp_.mtu;
  const auto expected = std::min<std::uint64_t>(request.length - offset, qp_.mtu);
  if (packet.payload.size() != expected) return fail(IBV_WC_BAD_RESP_ERR);
  if (!scatter(qp_.send_queue.elements(request), offset, packet.payload) ||
      !bring(request, offset + expected)) {
    return fail(IBV_WC_LOC_PROT_ERR);
  }
  progressed(psn_plus(packet.psn, 1));
}

/// To the GPU, if that is where the response belongs.
bool Requester::bring(const SendRequest& request, std::uint64_t bytes) {
  ShadowTable& shadows = qp_.port.memory.shadows;
  const bool last = bytes == request.length;
  if (bytes <= qp_.mtu) landing_.begin(shadows);
  landing_.arrived(shadows, qp_.send_queue.elements(request), bytes, last);
  return !last || !landing_.any() || shadows.finish(landing_.mark());
}

void Requester::atomic_response(const Packet& packet) {
  if (!accept_response(packet)) return;
  SendRequest& request = qp_.send_queue.oldest();
  if (!request.is_atomic()) return;
  const std::uint64_t value = packet.original;
  if (!scatter(qp_.send_queue.elements(request), 0, std::as_bytes(std::span(&value, 1))) ||
      !bring(request, sizeof value)) {
    return fail(IBV_WC_LOC_PROT_ERR);
  }
  progressed(psn_plus(packet.psn, 1));
}

void Requester::negative(const Packet& packet) {
  switch (static_cast<Syndrome>(packet.syndrome)) {
    case Syndrome::sequence_error: ++qp_.port.counters.rcvd_seq_err; return go_back();
    case Syndrome::invalid_request: return fail(IBV_WC_REM_INV_REQ_ERR);
    case Syndrome::remote_access: return fail(IBV_WC_REM_ACCESS_ERR);
    case Syndrome::remote_operation: return fail(IBV_WC_REM_OP_ERR);
    default: return fail(IBV_WC_BAD_RESP_ERR);
  }
}

void Requester::not_ready(const Packet& packet) {
  if (qp_.port.now < not_ready_until_) return;  // told twice
  ++qp_.port.counters.rcvd_rnr_err;
  if (not_ready_left_ == 0) {
    ++qp_.port.counters.retry_rnr_exceeded_err;
    return fail(IBV_WC_RNR_RETRY_EXC_ERR);
  }
  if (qp_.attributes.rnr_retry != kForEver) --not_ready_left_;
  resend();
  not_ready_until_ = qp_.port.now + not_ready_delay(packet.syndrome);
  hold_until(not_ready_until_);
  // The peer is alive: waiting for it is not a missing answer.
  patience_.satisfied();
  restart_timer();
}

void Requester::go_back() {
  const Time now = qp_.port.now;
  // Every packet after a gap reports it; going back once is enough, unless that was lost too.
  if (gone_back_to_ == oldest_ && now - gone_back_at_ < 2 * round_trip_.estimate()) return;
  gone_back_to_ = oldest_;
  gone_back_at_ = now;
  if (window_ > kCalmWindow) window_ = std::max(kCalmWindow, window_ * 7 / 10);
  resend();
  restart_timer();
}

void Requester::resend() {
  next_ = oldest_;
  window_before_ = 0;
  reads_.clear();
  qp_.send_queue.back_to_oldest();
  round_trip_.forget();
  qp_.port.want(qp_);
}

Time Requester::deadline() const {
  const Time held = holding_ ? hold_until_ : Time::max();
  return std::min(held, all_answered() ? Time::max() : timer_);
}

void Requester::on_time() {
  const Time now = qp_.port.now;
  if (holding_ && now >= hold_until_) qp_.port.want(qp_);
  if (all_answered() || now < timer_) return;
  if (qp_.paused()) return wait_without_blame();
  ++qp_.port.counters.completer_retry_err;
  patience_.stop(now);
  if (gives_up()) {
    ++qp_.port.counters.retry_exceeded_err;
    return fail(IBV_WC_RETRY_EXC_ERR);
  }
  round_trip_.back_off();
  const std::uint32_t before = std::max(window_, window_before_);
  window_ = kLeastWindow;
  restart_timer();
  resend();
  window_before_ = before;
}

bool Requester::gives_up() {
  const nanoseconds half = longest_wait() / 2;
  if (qp_.attributes.timeout == 0 || patience_.waited() < half) return false;
  patience_.consider(qp_.port.outbox.backlog(qp_.path), half);
  return patience_.waited() >= longest_wait();
}

/// The wait for an answer begins when nothing holds the request back any more.
void Requester::restart_timer() {
  const Time now = qp_.port.now;
  const Time from = holding_ ? std::max(now, hold_until_) : now;
  patience_.stop(now);
  const nanoseconds wait = next_wait();
  patience_.wait(from, wait);
  timer_ = from + wait;
  qp_.port.arm(timer_);
}

nanoseconds Requester::next_wait() const {
  if (patience_.peer_stands_still()) return std::max(promised(), kAskSleeper);
  const nanoseconds wait = round_trip_.timeout(promised());
  if (qp_.attributes.timeout == 0) return wait;
  return std::min(wait, std::max(longest_wait() - patience_.waited(), nanoseconds{0}));
}

nanoseconds Requester::promised() const {
  // InfiniBand volume 1, 9.7.6.1.3: 4.096 us * 2^timeout; 0 is for ever.
  const auto exponent = qp_.attributes.timeout;
  return exponent == 0 ? kAskAgain : nanoseconds(std::int64_t{4096} << exponent);
}

nanoseconds Requester::longest_wait() const {
  return promised() * (qp_.attributes.retry_cnt + 1);
}

bool Requester::drained() const {
  return qp_.send_queue.empty() || !qp_.send_queue.oldest().started;
}

void Requester::fail(ibv_wc_status status) {
  SendQueue& queue = qp_.send_queue;
  qp_.complete_send(queue.oldest(), status);
  queue.pop();
  if (qp_.reliable()) return qp_.fail();
  qp_.fail_sends();
}

}  // namespace railgauge::softroce
