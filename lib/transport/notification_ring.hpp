#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "transport/transport.hpp"

namespace railgauge::transport {

// What lies in shared memory: a mailbox for every rank, made by it, written by its peers. All of it
// is atomics and notifications, and has no pointers, as every process has it at an address of its
// own.

inline constexpr std::size_t kCacheLine = 64;
inline constexpr std::uint32_t kNotificationsPerRing =
    128;  // a power of two: numbers of notifications wrap around

/// The notifications of one channel on their way to the mailbox's owner: one writer, one reader.
/// That how many have been pushed is not kept here but beside those of the other channels
/// (Mailbox::pushed) lets the owner look at sixteen channels in one cache line.
struct NotificationRing {
  alignas(kCacheLine) std::atomic<std::uint32_t> taken;  // by the owner
  alignas(kCacheLine) std::array<std::uint32_t, kNotificationsPerRing> notifications;
};

struct StationHead {
  // 1: the owner sleeps, or is about to, and wants to be woken.
  alignas(kCacheLine) std::atomic<std::uint32_t> asleep;
  // 1: the owner has taken its leave; that its process ends is no failure.
  alignas(kCacheLine) std::atomic<std::uint32_t> left;
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);  // so they work between processes

/// One rank's mailbox, as it lies in this process's memory.
struct Mailbox {
  StationHead* head = nullptr;
  std::atomic<std::uint32_t>* pushed = nullptr;  // [channel of the owner]
  NotificationRing* rings = nullptr;             // [channel of the owner]
};
[[nodiscard]] std::size_t station_bytes(std::size_t channels);
/// Of memory that is zeroed, or a mailbox already.
[[nodiscard]] Mailbox station_in(std::span<std::byte> memory, std::size_t channels);

/// One channel's way into a peer's mailbox.
class Outbox {
 public:
  Outbox(const Mailbox& mailbox, Channel channel)
      : pushed_(mailbox.pushed[channel]), ring_(mailbox.rings[channel]) {}

  [[nodiscard]] bool can_post() const noexcept {
    if (next_ - taken_ < kNotificationsPerRing) return true;
    taken_ = ring_.taken.load(
        std::memory_order_acquire);  // pairs with take(): it has read its notification
    return next_ - taken_ < kNotificationsPerRing;
  }
  /// Needs can_post(). What was written before is there for whoever sees the notification: the
  /// store releases it. It is also ordered before any later look at `asleep` (seq_cst), see Sleep.
  void push(std::uint32_t notification) noexcept {
    ring_.notifications[next_ % kNotificationsPerRing] = notification;
    pushed_.store(++next_, std::memory_order_seq_cst);
  }
  /// Notes that the peer has not taken yet.
  [[nodiscard]] std::uint32_t waiting() const noexcept {
    return next_ - ring_.taken.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint32_t>& pushed_;
  NotificationRing& ring_;
  std::uint32_t next_ = 0;
  mutable std::uint32_t taken_ =
      0;  // as last seen: the peer's cache line is read when that is not enough
};

/// What peers have put into our own mailbox.
class Inbox {
 public:
  Inbox(const Mailbox& mailbox, std::size_t channels) : station_(mailbox), taken_(channels) {}

  /// Whether a channel has notifications; ordered after any earlier store to `asleep` (seq_cst),
  /// see Sleep.
  [[nodiscard]] bool anything() const noexcept;
  /// Fills the front of `events` with arrivals, in turns between the channels, and says how many.
  std::size_t take(std::span<Event> events) noexcept;

 private:
  std::size_t take_from(Channel channel, std::uint32_t pushed, std::span<Event> events) noexcept;

  Mailbox station_;
  std::vector<std::uint32_t> taken_;  // [channel]
  std::size_t next_ = 0;
};

}  // namespace railgauge::transport
