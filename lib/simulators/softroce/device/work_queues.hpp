#pragma once

#include <infiniband/verbs.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "softroce/device/acknowledgement.hpp"
#include "softroce/device/context.hpp"
#include "softroce/device/memory_window.hpp"
#include "softroce/device/port.hpp"

namespace railgauge::softroce {

/// One posted send request and the requester's progress with it.
struct SendRequest {
  std::uint64_t id = 0;
  ibv_wr_opcode opcode = IBV_WR_SEND;
  unsigned flags = 0;           ///< ibv_send_flags
  std::uint32_t immediate = 0;  ///< network order
  std::uint32_t invalidate_key = 0;
  std::uint64_t remote_address = 0;
  std::uint32_t remote_key = 0;
  std::uint64_t swap_or_add = 0;
  std::uint64_t compare = 0;
  Path path{};  ///< datagrams only
  std::uint32_t remote_queue_pair = 0;
  std::uint32_t queue_key = 0;
  std::uint32_t elements = 0;
  std::uint64_t length = 0;

  bool started = false;                        ///< has PSNs; its elements are resolved
  bool by_shortcut = false;                    ///< tried without packets
  std::optional<ShadowTable::Mark> fetched{};  ///< copying what a GPU has of it was started here
  Psn first_psn = 0;
  std::uint32_t packets = 0;  ///< PSNs that it uses: for a READ those of the responses

  bool is_read() const { return opcode == IBV_WR_RDMA_READ; }
  bool is_atomic() const {
    return opcode == IBV_WR_ATOMIC_CMP_AND_SWP || opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
  }
  bool is_answered() const { return is_read() || is_atomic(); }
  /// Sends what is in memory.
  bool sends_memory() const {
    return !is_answered() && !is_local() && (flags & IBV_SEND_INLINE) == 0;
  }
  bool is_local() const { return opcode == IBV_WR_LOCAL_INV || opcode == IBV_WR_BIND_MW; }
  Psn end_psn() const { return psn_plus(first_psn, packets); }
};

/// A ring of send requests: [head, next) are on the wire, [next, tail) wait, and behind the tail
/// requests are being built (ibv_wr_start ... ibv_wr_complete) that do not count yet.
class SendQueue {
 public:
  void allocate(std::size_t requests, std::size_t elements, std::size_t inline_bytes);

  bool full() const { return built_ - head_ >= limit_; }
  bool empty() const { return head_ == tail_; }
  bool all_sent() const { return next_ == tail_; }

  /// A fresh request behind the others, not yet committed. Not when full().
  SendRequest& build();
  void commit() { tail_ = built_; }
  void abort() { built_ = tail_; }
  SendRequest& last_built() { return at(built_ - 1); }

  /// Copies elements to the request built last. False if they do not fit.
  bool set_elements(std::span<const ibv_sge> elements);
  /// Copies bytes to it. 0, or ENOMEM if they do not fit, EFAULT if they cannot be read: a GPU's.
  int append_inline(const void* data, std::size_t bytes);
  /// Attaches what the request built last, a bind request, asks for. False if there is no memory
  /// for it.
  bool set_binding(const Binding& binding);

  SendRequest& oldest() { return at(head_); }
  SendRequest& current() { return at(next_); }
  /// The one behind it; null if none waits.
  SendRequest* after_current() { return tail_ - next_ > 1 ? &at(next_ + 1) : nullptr; }
  bool current_is_oldest() const { return next_ == head_; }
  std::span<ibv_sge> elements(const SendRequest& request);
  const Binding& binding(const SendRequest& request) const { return bindings_[place(request)]; }
  void advance() { ++next_; }
  void back_to_oldest() { next_ = head_; }
  void pop() {
    if (next_ == head_++) next_ = head_;
  }
  void clear() { head_ = next_ = tail_ = built_ = 0; }

 private:
  SendRequest& at(std::uint64_t index) { return requests_[index & (requests_.size() - 1)]; }
  std::size_t place(const SendRequest& request) const {
    return static_cast<std::size_t>(&request - requests_.data());
  }

  std::size_t limit_ = 0;
  std::vector<SendRequest> requests_;  // a power of two, to index without a division
  std::vector<ibv_sge> elements_;
  std::vector<std::byte> inline_;
  std::vector<Binding> bindings_;  // none before the first bind request, which few programs post
  std::size_t elements_each_ = 0;
  std::size_t inline_each_ = 0;
  std::uint64_t head_ = 0, next_ = 0, tail_ = 0, built_ = 0;
};

/// The most scatter-gather elements of one request.
inline constexpr std::uint32_t kMaxElements = 30;

/// A receive request that is receiving a message.
struct Receive {
  std::uint64_t id = 0;
  std::uint32_t count = 0;
  std::array<ibv_sge, kMaxElements> storage{};
  std::span<ibv_sge> elements() { return {storage.data(), count}; }
};

/// Posted receive requests, first in, first out.
class ReceiveQueue {
 public:
  void allocate(std::size_t requests, std::size_t elements);
  void resize(std::size_t requests);
  std::size_t capacity() const { return ids_.size(); }
  std::size_t size() const { return static_cast<std::size_t>(tail_ - head_); }
  std::size_t elements_each() const { return elements_each_; }

  /// 0, or the errno of ibv_post_recv(): ENOMEM if full, EINVAL for too many elements.
  int post(const ibv_recv_wr& request);
  /// Copies the first one, and leaves it there. False if there is none.
  bool look(Receive& out) const;
  bool take(Receive& out);
  void clear() { head_ = tail_ = 0; }

 private:
  std::vector<std::uint64_t> ids_;
  std::vector<std::uint32_t> counts_;
  std::vector<ibv_sge> elements_;
  std::size_t elements_each_ = 1;
  std::uint64_t head_ = 0, tail_ = 0;
};

/// A receive queue that several queue pairs take from.
struct SharedReceiveQueue : ibv_srq {
  ReceiveQueue queue;
  std::uint32_t limit = 0;  ///< raises an event if fewer wait; 0 is never; reset by the event
  unsigned users = 0;
  EventCount async_events;

  bool take(Receive& out);
};

}  // namespace railgauge::softroce
