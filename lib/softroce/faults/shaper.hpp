#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "softroce/faults/datagram.hpp"
#include "softroce/faults/delay_line.hpp"
#include "softroce/faults/fates.hpp"
#include "softroce/faults/faults.hpp"
#include "softroce/faults/flap.hpp"
#include "softroce/faults/rate_queue.hpp"

namespace railgauge::softroce {

/// What a shaper did since it was made.
struct ShaperCounters {
  std::uint64_t lost = 0;        ///< by loss=
  std::uint64_t duplicated = 0;  ///< copies made
  std::uint64_t reordered = 0;   ///< overtaken by at least one: held in vain is not reordered
  std::uint64_t corrupted = 0;
  std::uint64_t falsified = 0;
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
