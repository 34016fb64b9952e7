// READs, atomics, duplicates, and the answers to all of them.

#include <algorithm>
#include <array>
#include <atomic>

#include "softroce/device/memory_guard.hpp"
#include "softroce/device/queue_pair.hpp"
#include "softroce/device/responder.hpp"

namespace railgauge::softroce {

namespace {

// How many requests a peer may have outstanding. More than its own max_dest_rd_atomic are refused;
// repeated requests beyond this limit are dropped.
constexpr std::size_t kMostAnswers = 512;

std::uint32_t psns_of(std::uint64_t bytes, std::uint32_t mtu) {
  return static_cast<std::uint32_t>(std::max<std::uint64_t>((bytes + mtu - 1) / mtu, 1));
}

}  // namespace

const std::byte* Responder::readable(std::uint32_t key, std::uint64_t address,
                                     std::uint64_t bytes) const {
  static constexpr std::byte kNothing{};
  if (bytes == 0) return &kNothing;
  if ((qp_.attributes.qp_access_flags & IBV_ACCESS_REMOTE_READ) == 0) return nullptr;
  return qp_.port.memory.resolve_remote(key, address, bytes, qp_.accessor(),
                                        IBV_ACCESS_REMOTE_READ);
}

std::byte* Responder::atomic_target(const Packet& packet) const {
  if ((qp_.attributes.qp_access_flags & IBV_ACCESS_REMOTE_ATOMIC) == 0) return nullptr;
  return qp_.port.memory.resolve_remote(packet.remote_key, packet.remote_address,
                                        sizeof(std::uint64_t), qp_.accessor(),
                                        IBV_ACCESS_REMOTE_ATOMIC);
}

bool Responder::room_for_answer() const {
  // Repeated ones do not count: their first answers may have arrived, so the peer may send more
  // requests.
  unsigned fresh = 0;
  for (std::size_t i = 0; i < answers_.size(); ++i) fresh += answers_[i].repeated ? 0 : 1;
  return fresh < qp_.attributes.max_dest_rd_atomic;
}

bool Responder::owed(Psn psn) const {
  for (std::size_t i = 0; i < answers_.size(); ++i) {
    if (psn_distance(psn, answers_[i].psn) >= 0 && psn_distance(psn, answers_[i].end) < 0)
      return true;
  }
  return false;
}

void Responder::read(const Packet& packet) {
  const bool allowed =
      message_ == Message::none && packet.dma_length <= kLongestMessage && room_for_answer();
  if (!allowed) return refuse(Syndrome::invalid_request, IBV_EVENT_QP_REQ_ERR);
  if (!settle() ||
      readable(packet.remote_key, packet.remote_address, packet.dma_length) == nullptr) {
    return refuse(Syndrome::remote_access, IBV_EVENT_QP_ACCESS_ERR);
  }
  message_number_ = (message_number_ + 1) & kMask24;
  answer_read(packet, false);
  accepted(packet, psns_of(packet.dma_length, qp_.mtu));
  acknowledge_owed_ = false;  // the response implies it
}

void Responder::answer_read(const Packet& packet, bool repeated) {
  ShadowTable& shadows = qp_.port.memory.shadows;
  const ShadowTable::Mark before = shadows.mark();
  fetch(packet);
  answers_.push_back({.is_read = true,
                      .psn = packet.psn,
                      .end = psn_plus(packet.psn, psns_of(packet.dma_length, qp_.mtu)),
                      .key = packet.remote_key,
                      .address = packet.remote_address,
                      .left = packet.dma_length,
                      .message_number = message_number_,
                      .repeated = repeated,
                      .fetched = before});
  qp_.port.want(qp_);
}

/// From the GPU, if that has what a READ asks for.
void Responder::fetch(const Packet& packet) {
  ShadowTable& shadows = qp_.port.memory.shadows;
  if (shadows.empty()) return;
  const std::byte* from = readable(packet.remote_key, packet.remote_address, packet.dma_length);
  const ibv_sge asked = element_at(from, packet.dma_length);
  shadows.start(Copy::from_device, std::span(&asked, 1), 0, packet.dma_length);
}

void Responder::answer_atomic(Psn psn, std::uint64_t original, bool repeated) {
  answers_.push_back({.is_read = false,
                      .psn = psn,
                      .end = psn_plus(psn, 1),
                      .original = original,
                      .message_number = message_number_,
                      .repeated = repeated});
  qp_.port.want(qp_);
}

void Responder::atomic(const Packet& packet) {
  const bool aligned = packet.remote_address % sizeof(std::uint64_t) == 0;
  const bool allowed = message_ == Message::none && aligned && room_for_answer();
  if (!allowed) return refuse(Syndrome::invalid_request, IBV_EVENT_QP_REQ_ERR);
  std::byte* at = atomic_target(packet);
  if (at == nullptr) return refuse(Syndrome::remote_access, IBV_EVENT_QP_ACCESS_ERR);
  if (reinterpret_cast<std::uintptr_t>(at) % sizeof(std::uint64_t) != 0) {
    // The region's own addresses are aligned, its bytes are not.
    return refuse(Syndrome::invalid_request, IBV_EVENT_QP_REQ_ERR);
  }
  const ibv_sge operand = element_at(at, sizeof(std::uint64_t));
  ShadowTable& shadows = qp_.port.memory.shadows;
  const auto copied = [&](Copy direction) {
    return shadows.copy(direction, std::span(&operand, 1), 0, operand.length);
  };
  std::uint64_t original = packet.compare;
  const bool brought = settle() && copied(Copy::from_device);
  const bool there =
      brought && guarded([&] {
        std::atomic_ref<std::uint64_t> word(*reinterpret_cast<std::uint64_t*>(at));
        if (packet.operation == Operation::compare_and_swap) {
          word.compare_exchange_strong(original, packet.swap_or_add);  // leaves what was there
        } else {
          original = word.fetch_add(packet.swap_or_add);
        }
      });
  if (!there || !copied(Copy::to_device)) {
    return refuse(Syndrome::remote_access, IBV_EVENT_QP_ACCESS_ERR);
  }
  message_number_ = (message_number_ + 1) & kMask24;
  atomics_[next_atomic_++ % atomics_.size()] = {packet.psn, original};
  answer_atomic(packet.psn, original, false);
  accepted(packet, 1);
  acknowledge_owed_ = false;
}

void Responder::duplicate(const Packet& packet) {
  ++qp_.port.counters.duplicate_request;
  const bool answered = packet.operation == Operation::read_request || has_atomic(packet.operation);
  if (answered && (answers_.size() >= kMostAnswers || owed(packet.psn))) return;
  if (packet.operation == Operation::read_request) return repeat_read(packet);
  if (answered) return repeat_atomic(packet.psn);
  acknowledge_owed_ = true;
  qp_.port.want(qp_);
}

void Responder::repeat_read(const Packet& packet) {
  // The first answer may have arrived long ago and the region may legitimately be gone: stay
  // silent.
  const bool valid =
      packet.dma_length <= kLongestMessage &&
      readable(packet.remote_key, packet.remote_address, packet.dma_length) != nullptr;
  if (valid) answer_read(packet, true);
}

void Responder::repeat_atomic(Psn psn) {
  // Newest first: another atomic may have had the same PSN 2^24 packets ago.
  for (std::size_t back = 1; back <= atomics_.size(); ++back) {
    const Remembered& known = atomics_[(next_atomic_ - back) % atomics_.size()];
    if (known.psn == psn) return answer_atomic(psn, known.original, true);
  }
}

bool Responder::transmit(unsigned& budget) {
  if (deadline() != Time::max() && deadline() > qp_.port.now) return false;
  place_withheld();
  if (!settle()) {
    answers_.clear();
    failure_ = Failure{Syndrome::remote_access, *lost_, IBV_EVENT_QP_ACCESS_ERR};
  }
  while (!answers_.empty()) {
    if (budget == 0) {
      if (acknowledge_owed_) ++qp_.port.counters.ack_deferred;
      return true;
    }
    --budget;
    Answer& answer = answers_.front();
    if (!send_answer(answer)) {
      unanswerable(answer);
    } else if (answer.psn == answer.end) {
      answers_.pop_front();
    }
  }
  if (failure_) {
    give_up();
  } else if (refusal_) {
    send_acknowledge(*refusal_, expected_);
    refusal_.reset();
    acknowledge_owed_ = false;
  } else if (acknowledge_owed_) {
    acknowledge_what_came();
  }
  return false;
}

void Responder::acknowledge_what_came() {
  send_acknowledge(static_cast<std::uint8_t>(Syndrome::acknowledge), psn_plus(expected_, kMask24));
  acknowledge_owed_ = false;
}

/// The region is gone, which for a repeated request may be legitimate, as in repeat_read().
void Responder::unanswerable(const Answer& answer) {
  if (answer.repeated) return answers_.pop_front();
  failure_ = Failure{Syndrome::remote_access, answer.psn, IBV_EVENT_QP_ACCESS_ERR};
  answers_.clear();
}

bool Responder::send_answer(Answer& answer) {
  const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(answer.left, qp_.mtu));
  const std::byte* from = readable(answer.key, answer.address, bytes);
  if (from == nullptr) return false;  // deregistered since
  const bool fetches = answer.is_read && answer.first && !qp_.port.memory.shadows.empty();
  if (fetches && !qp_.port.memory.shadows.finish(answer.fetched)) return false;
  Packet packet{.service = Service::reliable};
  packet.queue_pair = qp_.attributes.dest_qp_num;
  packet.psn = answer.psn;
  packet.syndrome = static_cast<std::uint8_t>(Syndrome::acknowledge);
  packet.message_number = answer.message_number;
  const bool last = psn_plus(answer.psn, 1) == answer.end;
  using enum Operation;
  if (answer.is_read) {
    packet.operation = answer.first ? (last ? read_response_only : read_response_first)
                                    : (last ? read_response_last : read_response_middle);
  } else {
    packet.operation = atomic_acknowledge;
    packet.original = answer.original;
  }
  const std::array<iovec, 1> piece{{{const_cast<std::byte*>(from), bytes}}};
  const bool there = qp_.port.send(qp_.path, packet, std::span(piece).first(bytes > 0 ? 1 : 0));
  if (!there) return false;  // unmapped since
  answer.psn = psn_plus(answer.psn, 1);
  answer.address += bytes;
  answer.left -= bytes;
  answer.first = false;
  return true;
}

void Responder::send_acknowledge(std::uint8_t syndrome, Psn psn) {
  Packet packet{.service = Service::reliable, .operation = Operation::acknowledge};
  packet.queue_pair = qp_.attributes.dest_qp_num;
  packet.psn = psn;
  packet.syndrome = syndrome;
  packet.message_number = message_number_;
  qp_.port.send(qp_.path, packet, {});
}

}  // namespace railgauge::softroce
