#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "transport/transport.hpp"

namespace railgauge::transport {

// What lies in shared memory: a mailbox for every rank, made by it and written by its peers. It
// consists of atomics and notifications and has no pointers, because every process maps it at an
// address of its own.

inline constexpr std::size_t kCacheLine = 64;
// A power of two: counts of notifications wrap around.
inline constexpr std::uint32_t kNotificationsPerRing = 128;

/// The notifications of one channel on their way to the mailbox's owner: one writer, one reader.
/// How many have been pushed is kept not here but next to the counts of the other channels
/// (Mailbox::pushed), so that the owner checks sixteen channels in one cache line.
struct NotificationRing {
  alignas(kCacheLine) std::atomic<std::uint32_t> taken;  // by the owner
  alignas(kCacheLine) std::array<std::uint32_t, kNotificationsPerRing> notifications;
};

struct MailboxHead {
  // 1: the owner is asleep, or about to be, and wants to be woken.
  alignas(kCacheLine) std::atomic<std::uint32_t> asleep;
  // 1: the owner has left in order; the end of its process is no failure.
  alignas(kCacheLine) std::atomic<std::uint32_t> left;
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);  // so they work across processes

/// One rank's mailbox, as it lies in this process's memory.
struct Mailbox {
  MailboxHead* head = nullptr;
  std::atomic<std::uint32_t>* pushed = nullptr;  // [channel of the owner]
  NotificationRing* rings = nullptr;             // [channel of the owner]
};
[[nodiscard]] std::size_t mailbox_bytes(std::size_t channels);
/// `memory` is zeroed, or is a mailbox already.
[[nodiscard]] Mailbox mailbox_in(std::span<std::byte> memory, std::size_t channels);

/// Posts into a peer's mailbox on one channel.
class Outbox {
 public:
  Outbox(const Mailbox& mailbox, Channel channel)
      : pushed_(mailbox.pushed[channel]), ring_(mailbox.rings[channel]) {}

  [[nodiscard]] bool can_post() const noexcept {
    if (next_ - taken_ < kNotificationsPerRing) return true;
    // Pairs with take(): the peer has read its notifications.
    taken_ = ring_.taken.load(std::memory_order_acquire);
    return next_ - taken_ < kNotificationsPerRing;
  }
  /// Needs can_post(). The store releases what was written before to whoever sees the notification.
  /// It is also ordered before any later load of `asleep` (seq_cst): see
  /// SharedMemoryTransport::arm().
  void push(std::uint32_t notification) noexcept {
    ring_.notifications[next_ % kNotificationsPerRing] = notification;
    pushed_.store(++next_, std::memory_order_seq_cst);
  }
  /// Notifications that the peer has not taken yet.
  [[nodiscard]] std::uint32_t waiting() const noexcept {
    return next_ - ring_.taken.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint32_t>& pushed_;
  NotificationRing& ring_;
  std::uint32_t next_ = 0;
  // As last seen: the peer's cache line is read only if that is not enough.
  mutable std::uint32_t taken_ = 0;
};

/// What peers have posted into our own mailbox.
class Inbox {
 public:
  Inbox(const Mailbox& mailbox, std::size_t channels) : mailbox_(mailbox), taken_(channels) {}

  /// Whether any channel has notifications. Ordered after any earlier store to `asleep` (seq_cst):
  /// see SharedMemoryTransport::arm().
  [[nodiscard]] bool anything() const noexcept;
  /// Fills the front of `events` with arrivals, round-robin over the channels; returns how many.
  std::size_t take(std::span<Event> events) noexcept;

 private:
  std::size_t take_from(Channel channel, std::uint32_t pushed, std::span<Event> events) noexcept;

  Mailbox mailbox_;
  std::vector<std::uint32_t> taken_;  // [channel]
  std::size_t next_ = 0;
};

}  // namespace railgauge::transport
