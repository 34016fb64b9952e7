#pragma once

#include <deque>
#include <optional>

#include "softroce/faults/datagram.hpp"
#include "softroce/faults/faults.hpp"

namespace railgauge::softroce {

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
