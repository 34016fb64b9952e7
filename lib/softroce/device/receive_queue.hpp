#pragma once

#include <infiniband/verbs.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "softroce/device/events.hpp"

namespace railgauge::softroce {

/// The most scatter-gather elements of one request.
inline constexpr std::uint32_t kMaxElements = 30;

/// A receive request that a message is being put into.
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

  /// 0, or the errno of ibv_post_recv(): ENOMEM when full, EINVAL for too many elements.
  int post(const ibv_recv_wr& request);
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
  std::uint32_t limit = 0;  ///< an event when fewer wait; 0 is never; used up by the event
  unsigned users = 0;
  EventCount async_events;

  bool take(Receive& out);
};

}  // namespace railgauge::softroce
