#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "softroce/faults/datagram.hpp"
#include "softroce/faults/faults.hpp"

namespace railgauge::softroce {

/// A datagram before the rate, with what is to happen to it behind it.
struct Waiting {
  Datagram datagram;
  Time arrived;
  nanoseconds jitter{};
  bool reordered = false;
};

/// A token bucket of one datagram with a queue before it: after a rest, nothing goes out faster
/// than the rate, as on a link. It reckons when each datagram has left, whenever somebody looks: so
/// a late look costs delay, but no rate.
class RateQueue {
 public:
  /// 0 is unlimited. What was on its way out at `now` begins anew.
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

/// What is under way: it comes out in order, each not before its time, but for those that are to be
/// overtaken by the next three. What comes out in which order depends on the times that were given,
/// not on how often it is asked for.
class DelayLine {
 public:
  /// A datagram whose time is before that of the one ahead of it comes with that one.
  void add(Datagram datagram, Time arrives, bool reordered);
  std::optional<Datagram> take(Time now);
  std::optional<Time> due() const;      ///< when take() could next have something
  Time not_before(Time arrives) const;  ///< what add() makes of this time

  std::size_t size() const { return line_.size() + held_.size(); }
  void clear();

  /// Datagrams that came out with at least one behind them out before.
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
