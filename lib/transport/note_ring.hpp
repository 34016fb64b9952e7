#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "transport/transport.hpp"

namespace railgauge::transport {

// What lies in shared memory: a station for every rank, made by it, written by its peers. All of it
// is atomics and notes, and has no pointers, as every process has it at an address of its own.

inline constexpr std::size_t kCacheLine = 64;
inline constexpr std::uint32_t kNotesPerRing = 128;  // a power of two: numbers of notes wrap around

/// The notes of one lane on their way to the station's owner: one writer, one reader. That how many
/// have been pushed is not kept here but beside those of the other lanes (Station::pushed) lets the
/// owner look at sixteen lanes in one cache line.
struct NoteRing {
  alignas(kCacheLine) std::atomic<std::uint32_t> taken;  // by the owner
  alignas(kCacheLine) std::array<std::uint32_t, kNotesPerRing> notes;
};

struct StationHead {
  // 1: the owner sleeps, or is about to, and wants to be woken.
  alignas(kCacheLine) std::atomic<std::uint32_t> asleep;
  // 1: the owner has taken its leave; that its process ends is no failure.
  alignas(kCacheLine) std::atomic<std::uint32_t> left;
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);  // so they work between processes

/// One rank's station, as it lies in this process's memory.
struct Station {
  StationHead* head = nullptr;
  std::atomic<std::uint32_t>* pushed = nullptr;  // [lane of the owner]
  NoteRing* rings = nullptr;                     // [lane of the owner]
};
[[nodiscard]] std::size_t station_bytes(std::size_t lanes);
/// Of memory that is zeroed, or a station already.
[[nodiscard]] Station station_in(std::span<std::byte> memory, std::size_t lanes);

/// One lane's way into a peer's station.
class Outbox {
 public:
  Outbox(const Station& station, Lane lane)
      : pushed_(station.pushed[lane]), ring_(station.rings[lane]) {}

  [[nodiscard]] bool room() const noexcept {
    if (next_ - taken_ < kNotesPerRing) return true;
    taken_ =
        ring_.taken.load(std::memory_order_acquire);  // pairs with take(): it has read its note
    return next_ - taken_ < kNotesPerRing;
  }
  /// Needs room(). What was written before is there for whoever sees the note: the store releases
  /// it. It is also ordered before any later look at `asleep` (seq_cst), see Sleep.
  void push(std::uint32_t note) noexcept {
    ring_.notes[next_ % kNotesPerRing] = note;
    pushed_.store(++next_, std::memory_order_seq_cst);
  }
  /// Notes that the peer has not taken yet.
  [[nodiscard]] std::uint32_t waiting() const noexcept {
    return next_ - ring_.taken.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint32_t>& pushed_;
  NoteRing& ring_;
  std::uint32_t next_ = 0;
  mutable std::uint32_t taken_ =
      0;  // as last seen: the peer's cache line is read when that is not enough
};

/// What peers have put into our own station.
class Inbox {
 public:
  Inbox(const Station& station, std::size_t lanes) : station_(station), taken_(lanes) {}

  /// Whether a lane has notes; ordered after any earlier store to `asleep` (seq_cst), see Sleep.
  [[nodiscard]] bool anything() const noexcept;
  /// Fills the front of `events` with arrivals, in turns between the lanes, and says how many.
  std::size_t take(std::span<Event> events) noexcept;

 private:
  std::size_t take_from(Lane lane, std::uint32_t pushed, std::span<Event> events) noexcept;

  Station station_;
  std::vector<std::uint32_t> taken_;  // [lane]
  std::size_t next_ = 0;
};

}  // namespace railgauge::transport
