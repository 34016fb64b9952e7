#pragma once

#include <infiniband/verbs.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace railgauge::verbs {

/// Registered memory of this host; the bytes stay untouched until the write completed, unless it
/// went inline. `key` is the region's lkey and does not matter for inline or empty writes.
struct LocalSlice {
  const std::byte* data = nullptr;
  std::uint32_t bytes = 0;
  std::uint32_t key = 0;
};

struct RemoteSlice {
  std::uint64_t address = 0;
  std::uint32_t key = 0;  ///< rkey
};

struct Write {
  LocalSlice from{};
  RemoteSlice to{};
  std::uint64_t id = 0;  ///< comes back in the completion
  /// Whether success makes a completion; failure always does. A completion also frees the
  /// send-queue places of all earlier writes, so at least one in `send_depth` has to be signaled.
  bool signaled = true;
};

/// Writes for one queue pair that are handed to the device in one call, in this order: it takes its
/// lock and rings its doorbell once. Filled, posted by QueuePair::post(), filled again.
class WriteChain {
 public:
  static constexpr std::size_t kMost = 16;  // of 144 bytes each

  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  [[nodiscard]] bool full() const noexcept { return count_ == kMost; }

  /// Needs room. With an immediate it takes one receive at the peer, whose completion carries that.
  /// What goes inline is read by post(), not here.
  void add(const Write& write, std::optional<std::uint32_t> immediate) noexcept;

 private:
  friend class QueuePair;

  // Only the first `count_` are filled; they are linked when they are posted.
  std::array<ibv_send_wr, kMost> requests_;
  std::array<ibv_sge, kMost> slices_;
  std::size_t count_ = 0;
};

}  // namespace railgauge::verbs
