#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "transport/transport.hpp"

namespace railgauge::transport {

// What lies in shared memory: a mailbox for every rank, made by it and written by its peers. It
// consists of atomics and letters and has no pointers, because every process maps it at an
// address of its own.

inline constexpr std::size_t kCacheLine = 64;
// A power of two: counts of notifications wrap around.
inline constexpr std::uint32_t kNotificationsPerRing = 128;

/// A notification, and its data if they are few: one cache line on its way from a processor to
/// another, which is what small messages cost.
struct Letter {
  static constexpr std::size_t kMostBytes = 40;

  // Which letter of its channel this is, counted from 1: how the owner sees that it has come.
  alignas(kCacheLine) std::atomic<std::uint32_t> number;
  std::uint32_t notification;
  std::uint32_t region;  // where the owner puts the data
  std::uint32_t bytes;   // 0: there are none, or they are in place already
  std::uint64_t offset;
  std::array<std::byte, kMostBytes> data;
};
static_assert(sizeof(Letter) == kCacheLine);

/// The letters of one channel on their way to the mailbox's owner: one writer, one reader. A line
/// that nobody writes stays in the owner's cache, so looking at many channels costs little.
struct LetterRing {
  alignas(kCacheLine) std::atomic<std::uint32_t> taken;  // by the owner
  std::array<Letter, kNotificationsPerRing> letters;
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
  LetterRing* rings = nullptr;  // [channel of the owner]
};
[[nodiscard]] std::size_t mailbox_bytes(std::size_t channels);
/// `memory` is zeroed, or is a mailbox already.
[[nodiscard]] Mailbox mailbox_in(std::span<std::byte> memory);

/// Posts into a peer's mailbox on one channel.
class Outbox {
 public:
  Outbox(const Mailbox& mailbox, Channel channel) : ring_(mailbox.rings[channel]) {}

  [[nodiscard]] bool can_post() const noexcept {
    if (next_ - taken_ < kNotificationsPerRing) return true;
    // Pairs with take(): the peer has read its notifications.
    taken_ = ring_.taken.load(std::memory_order_acquire);
    return next_ - taken_ < kNotificationsPerRing;
  }
  /// Needs can_post(). The store releases what was written before to whoever sees the letter. It is
  /// also ordered before any later load of `asleep` (seq_cst): see SharedMemoryTransport::arm().
  void push(std::uint32_t notification) noexcept {
    Letter& letter = next_letter();
    letter.bytes = 0;
    send(letter, notification);
  }
  /// The same, with data, at most Letter::kMostBytes, for this place of a region of the owner's.
  void push(std::uint32_t notification, std::span<const std::byte> data, std::uint32_t region,
            std::uint64_t offset) noexcept {
    Letter& letter = next_letter();
    letter.region = region;
    letter.bytes = static_cast<std::uint32_t>(data.size());
    letter.offset = offset;
    std::memcpy(letter.data.data(), data.data(), data.size());
    send(letter, notification);
  }
  /// Notifications that the peer has not taken yet.
  [[nodiscard]] std::uint32_t waiting() const noexcept {
    return next_ - ring_.taken.load(std::memory_order_relaxed);
  }

 private:
  [[nodiscard]] Letter& next_letter() const { return ring_.letters[next_ % kNotificationsPerRing]; }
  void send(Letter& letter, std::uint32_t notification) noexcept {
    letter.notification = notification;
    letter.number.store(++next_, std::memory_order_seq_cst);
  }

  LetterRing& ring_;
  std::uint32_t next_ = 0;
  // As last seen: the peer's cache line is read only if that is not enough.
  mutable std::uint32_t taken_ = 0;
};

/// What peers have posted into our own mailbox.
class Inbox {
 public:
  Inbox(const Mailbox& mailbox, std::size_t channels) : mailbox_(mailbox), taken_(channels) {}

  /// The owner's next region: where data go that letters bring.
  void add_region(std::span<std::byte> bytes) { regions_.push_back(bytes); }

  /// Whether any channel has letters. Ordered after any earlier store to `asleep` (seq_cst): see
  /// SharedMemoryTransport::arm().
  [[nodiscard]] bool anything() const noexcept;
  /// Fills the front of `events` with arrivals, round-robin over the channels; returns how many.
  /// Their data are in place then.
  std::size_t take(std::span<Event> events) noexcept;

 private:
  [[nodiscard]] const Letter& next_letter(Channel channel) const {
    return mailbox_.rings[channel].letters[taken_[channel] % kNotificationsPerRing];
  }
  /// Pairs with push(): the letter, and the bytes that it announces, are in place.
  [[nodiscard]] bool has_come(Channel channel) const noexcept {
    return next_letter(channel).number.load(std::memory_order_acquire) == taken_[channel] + 1;
  }
  std::size_t take_from(Channel channel, std::span<Event> events) noexcept;
  void put_in_place(const Letter& letter) const noexcept;

  Mailbox mailbox_;
  std::vector<std::uint32_t> taken_;  // [channel]
  std::vector<std::span<std::byte>> regions_;
  std::size_t next_ = 0;
};

}  // namespace railgauge::transport
