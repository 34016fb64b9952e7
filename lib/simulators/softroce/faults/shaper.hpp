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

/// What chance does to one datagram.
struct PacketAction {
  bool lost = false;
  bool duplicated = false;
  bool reordered = false;
  bool corrupted = false;
  bool payload_corrupted = false;
  bool marked = false;
  std::uint64_t bit = 0;  ///< which one flips, modulo the number of bits there are
  nanoseconds jitter{};
};

/// Draws one fate per datagram. Each fault has its own generator, from which every datagram draws
/// once whether or not the fault is on: so the n-th datagram's corruption depends only on the seed,
/// n and corrupt=, not on the other faults or on when they were switched on.
///
/// The C++ standard fixes what std::mt19937_64 and std::seed_seq give, so a seed means the same
/// everywhere. It does not fix std::uniform_real_distribution and the like, so none is used.
class Fates {
 public:
  Fates(std::uint64_t seed, int device, Direction direction);
  PacketAction next(const Faults& faults);

 private:
  // Append new ones, so that seeds keep their meaning.
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

/// A link that alternates between up and down from `start` on. Without phases it is up.
class Flap {
 public:
  Flap() = default;
  Flap(nanoseconds up, nanoseconds down, Time start) : up_(up), down_(down), start_(start) {}

  bool up(Time now) const;
  std::optional<Time> next_change(Time now) const;
  /// How often it went down until `now`, including cuts that nobody observed.
  std::int64_t cuts(Time now) const;

 private:
  bool active() const { return up_.count() > 0 && down_.count() > 0; }

  nanoseconds up_{};
  nanoseconds down_{};
  Time start_{};
};

/// What a shaper has done since it was constructed.
struct ShaperCounters {
  std::uint64_t lost = 0;        ///< by loss=
  std::uint64_t duplicated = 0;  ///< copies made
  std::uint64_t reordered = 0;   ///< overtaken by at least one; one held in vain does not count
  std::uint64_t corrupted = 0;
  std::uint64_t payload_corrupted = 0;
  std::uint64_t marked = 0;      ///< marked CE, which a packet that is not ECN-capable, or has CE
                                 ///< already, is not
  std::uint64_t too_large = 0;   ///< by mtu=
  std::uint64_t overflowed = 0;  ///< by queue=
  std::uint64_t link_down = 0;   ///< submitted while the link was down, or in flight when it went
                                 ///< down
  nanoseconds paused{};          ///< until the last call
};

/// One direction of one device. A datagram passes, in this order: link, mtu, loss, corruption (a
/// duplicate stays intact, because it is copied before), the queue with its bound and mark, rate,
/// delay and jitter, reordering.
///
/// Deterministic: the same seed, device number, direction, faults and datagrams give the same fate
/// for the n-th datagram that is submitted. The clock decides when, and so what a full queue or a
/// dead link loses, but nothing random. Not thread-safe. A `now` earlier than the last one counts
/// as the last one.
class Shaper {
 public:
  Shaper(std::uint64_t seed, int device, Direction direction);

  /// New faults from now on. What is queued obeys the new rate and pause, what is in flight keeps
  /// its delay; link down loses both. The same faults again change nothing, and a flap with the
  /// same times keeps its rhythm.
  void configure(const Faults& faults, Time now);

  void submit(Datagram datagram, Time now);
  /// The next datagram that is due, in order; nothing if none is.
  std::optional<Datagram> take(Time now);
  /// When take() may next have something; it may turn out to have nothing yet: then ask again.
  /// Nothing if nothing waits, or while paused.
  std::optional<Time> due() const;

  /// False while link=down or in the down part of a flap.
  bool link_up(Time now) const;
  /// When link_up() changes next because of a flap.
  std::optional<Time> next_flap(Time now) const;

  const ShaperCounters& counters() const { return counters_; }
  /// Bytes of IP packets that wait for the rate or the pause, not those in flight.
  std::size_t waiting_bytes() const { return queue_.bytes(); }

 private:
  void advance(Time now);
  void lose_all();
  void serve();
  bool never_arrives(const Datagram& datagram, const PacketAction& fate);
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
