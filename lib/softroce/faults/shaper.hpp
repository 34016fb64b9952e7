#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>

#include "softroce/faults/datagram.hpp"
#include "softroce/faults/faults.hpp"
#include "softroce/faults/queues.hpp"

namespace railgauge::softroce {

/// What chance has in store for one datagram.
struct Fate {
  bool lost = false;
  bool duplicated = false;
  bool reordered = false;
  bool corrupted = false;
  bool payload_corrupted = false;
  bool marked = false;
  std::uint64_t bit = 0;  ///< which one flips, modulo the number of bits there are
  nanoseconds jitter{};
};

/// Draws one fate a datagram. Each fault has a generator of its own, and each generator is drawn
/// from once a datagram whether the fault is on or not: so the n-th datagram's corruption depends
/// on the seed, n and corrupt= alone, and neither on the other faults nor on when they were
/// switched on.
///
/// The C++ standard fixes what std::mt19937_64 and std::seed_seq give, so a seed means the same
/// everywhere. It does not for std::uniform_real_distribution and its like: none is used.
class Fates {
 public:
  Fates(std::uint64_t seed, int device, Direction direction);
  Fate next(const Faults& faults);

 private:
  // A new one goes to the end: so seeds keep their meaning.
  enum Stream : std::uint8_t {
    loss,
    duplication,
    reordering,
    corruption,
    bit,
    marking,
    jitter,
    payload_corruption
  };
  static constexpr std::size_t kStreams = 8;

  std::uint64_t draw(Stream stream) { return generators_[stream](); }
  bool happens(Stream stream, double probability);

  std::array<std::mt19937_64, kStreams> generators_;
};

/// A link that is up for so long, then down for so long, from its first moment on. Without phases:
/// up.
class Flap {
 public:
  Flap() = default;
  Flap(nanoseconds up, nanoseconds down, Time start) : up_(up), down_(down), start_(start) {}

  bool up(Time now) const;
  std::optional<Time> next_change(Time now) const;
  /// How often it went down until `now`: a cut that nobody looked at was one nevertheless.
  std::int64_t cuts(Time now) const;

 private:
  bool active() const { return up_.count() > 0 && down_.count() > 0; }

  nanoseconds up_{};
  nanoseconds down_{};
  Time start_{};
};

/// What a shaper did since it was made.
struct ShaperCounters {
  std::uint64_t lost = 0;        ///< by loss=
  std::uint64_t duplicated = 0;  ///< copies made
  std::uint64_t reordered = 0;   ///< overtaken by at least one: held in vain is not reordered
  std::uint64_t corrupted = 0;
  std::uint64_t payload_corrupted = 0;
  std::uint64_t marked = 0;  ///< made CE; a packet that is not ECN-capable, or CE already, is not
  std::uint64_t too_large = 0;   ///< by mtu=
  std::uint64_t overflowed = 0;  ///< by queue=
  std::uint64_t link_down = 0;   ///< submitted while the link was down, or caught by its going down
  nanoseconds paused{};          ///< until the last call
};

/// One direction of one device. A datagram passes, in this order: the link, mtu, loss, corruption
/// (a duplicate is not corrupted: the copy was made before), the queue with its bound and its mark,
/// the rate, delay and jitter, reordering.
///
/// Deterministic: the same seed, device number, direction, faults and datagrams give the same fate
/// for the n-th datagram that is submitted. Clocks decide when, and so also what a full queue or a
/// dead link does, but nothing that is left to chance. Not thread-safe. A `now` before the last is
/// the last.
class Shaper {
 public:
  Shaper(std::uint64_t seed, int device, Direction direction);

  /// New faults from now on. What waits stays and obeys the new rate and pause, what is under way
  /// keeps its delay; link down loses both. The same faults again change nothing, and a flap whose
  /// times are the same keeps its rhythm.
  void configure(const Faults& faults, Time now);

  void submit(Datagram datagram, Time now);
  /// The next datagram whose time has come, in order; nothing when none has.
  std::optional<Datagram> take(Time now);
  /// When take() could next have something, which may turn out to be nothing yet: ask again then.
  /// Nothing when nothing waits, or while paused.
  std::optional<Time> due() const;

  /// False while link=down or in the down part of a flap.
  bool link_up(Time now) const;
  /// When link_up() changes next because of a flap.
  std::optional<Time> next_flap(Time now) const;

  const ShaperCounters& counters() const { return counters_; }
  /// IP packets' bytes that wait for the rate or the pause; what is under way does not wait.
  std::size_t waiting_bytes() const { return queue_.bytes(); }

 private:
  void advance(Time now);
  void lose_all();
  void serve();
  bool never_arrives(const Datagram& datagram, const Fate& fate);
  void enqueue(Waiting waiting);
  bool overflows(std::size_t bytes) const;
  void mark(Datagram& datagram);

  Faults faults_;
  Fates fates_;
  Flap flap_;
  RateQueue queue_;
  DelayLine line_;
  Time now_{};
  ShaperCounters counters_;
};

}  // namespace railgauge::softroce
