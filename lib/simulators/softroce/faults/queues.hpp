#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "softroce/faults/datagram.hpp"
#include "softroce/faults/faults.hpp"

namespace railgauge::softroce {

/// A datagram that waits for the rate, and what will happen to it afterwards.
struct Waiting {
  Datagram datagram;
  Time arrived;
  nanoseconds jitter{};
  bool reordered = false;
};

/// A token bucket of one datagram behind a queue: even after a pause nothing leaves faster than the
/// rate, as on a link. It computes when each datagram has left, no matter when it is asked: asking
/// late costs delay but no throughput.
class RateQueue {
 public:
  /// 0 is unlimited. What was leaving at `now` starts again.
  void configure(std::uint64_t bits_per_second, Time now);

  void push(Waiting waiting);
  bool empty() const { return queue_.empty(); }
  std::size_t size() const { return queue_.size(); }
  std::size_t bytes() const { return bytes_; }  ///< of IP packets
  void clear();

  const Waiting& first() const { return queue_.front(); }
  Time departure() const;  ///< when the first has left
  Waiting pop();           ///< the first, at its departure()

 private:
  std::deque<Waiting> queue_;
  std::size_t bytes_ = 0;
  std::uint64_t bits_per_second_ = 0;
  Time idle_since_{};              ///< the last departure
  std::uint64_t rounded_off_ = 0;  ///< of a nanosecond, in units of 1 / rate
};

/// Datagrams in flight: they come out in order, none before its time, except for those that the
/// next three are to overtake. The order depends on the times given, not on how often it is asked.
class DelayLine {
 public:
  /// A datagram due before the one ahead of it comes out with that one.
  void add(Datagram datagram, Time arrives, bool reordered);
  std::optional<Datagram> take(Time now);
  std::optional<Time> due() const;      ///< when take() could next have something
  Time not_before(Time arrives) const;  ///< what add() makes of this time

  std::size_t size() const { return line_.size() + held_.size(); }
  void clear();

  /// Datagrams that at least one later datagram has overtaken.
  std::uint64_t overtaken() const { return overtaken_; }

 private:
  struct Coming {
    Datagram datagram;
    Time arrives;
    bool reordered;
  };
  struct Held {
    Datagram datagram;
    Time leaves;  ///< at the latest
    int passed;   ///< how many have overtaken it
  };

  bool held_is_next() const;
  Datagram release_held();
  Datagram pass_held();

  std::deque<Coming> line_;
  std::deque<Held> held_;
  std::uint64_t overtaken_ = 0;
};

}  // namespace railgauge::softroce
