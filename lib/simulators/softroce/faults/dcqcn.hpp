#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "softroce/faults/faults.hpp"

namespace railgauge::softroce {

/// DCQCN's reaction point: one queue pair's sending rate (Zhu et al., "Congestion Control for
/// Large-Scale RDMA Deployments", SIGCOMM 2015, section 5; constants there, table 14). Until the
/// first CNP, and again after the rate has recovered to the line rate, nothing is limited and
/// may_send() is one comparison. The estimate of congestion (alpha) is remembered for longer, and
/// decays.
///
/// The paper's additive increase is 40 Mb/s on links of 40 Gb/s. Here it is the same fraction,
/// 1/1000, of the actual line rate: the paper's number would be far too large at 1 Gb/s and far too
/// small at 400 Gb/s.
///
/// The times are longer below 500 Mb/s, in inverse proportion to the line rate, or a sender there
/// would have recovered before its next packet. A timer then lasts for 3.4 KB on the line. In round
/// trips that is a tenth of a fast link's, on purpose: with 55 us per 10 us of round trip (20 Gb/s
/// in place of 500 Mb/s) three flows on a link of 20 Mb/s carried a quarter of it for ten seconds,
/// which are then what the first 10 ms are at 40 Gb/s.
class ReactionPoint {
 public:
  explicit ReactionPoint(double line_bits_per_second);
  void congestion_notification(Time now);  ///< a CNP came: cut
  /// As of the last call with a time: may_send() and sent() notice recovery.
  bool limited() const { return limited_; }
  /// When a packet of `bytes` may leave; `now` or earlier means at once. Call sent() when it does.
  Time may_send(std::size_t bytes, Time now);
  void sent(std::size_t bytes, Time now);
  double bits_per_second() const { return limited_ ? current_ : line_; }

 private:
  void advance(Time now);
  void fade(Time now);
  void increase();
  void restart_recovery(Time now);
  nanoseconds pace(std::size_t bytes) const;
  Time paid_until(std::size_t bytes, Time now) const;

  double line_;
  nanoseconds timer_period_;
  double least_;
  bool limited_ = false;
  double current_;                ///< R_C
  double target_;                 ///< R_T
  double alpha_ = 1;              ///< the paper's start: a first CNP halves the rate
  std::optional<Time> last_cut_;  ///< alpha_ is as of then
  Time timer_{};                  ///< when the rate's timer last expired or was reset
  int timer_stage_ = 0;           ///< T
  int byte_stage_ = 0;            ///< BC
  std::uint64_t bytes_ = 0;       ///< since the byte counter last expired or was reset
  Time paid_{};                   ///< until when the rate has been used up
};

/// The notification point: at most one CNP per queue pair in 50 us, on slow lines longer.
///
/// The paper's interval is about a round trip, so that a sender is cut once for a queue, not as
/// long as it drains. Below 2 Gb/s the interval is longer in inverse proportion to the line rate:
/// it lasts for 12.5 KB on the line, a quarter of the queue at which a soft switch begins to mark.
/// Three flows of 20 Mb/s then use 0.97 of a link of 40, and 0.8 with the factor of the timers;
/// from 2.5 Gb/s on the queue would stay above the one at which switches mark all.
class NotificationPoint {
 public:
  explicit NotificationPoint(double line_bits_per_second);
  bool marked(Time now);  ///< a CE mark arrived; true if a CNP must be sent for it

 private:
  nanoseconds interval_;
  std::optional<Time> last_;
};

}  // namespace railgauge::softroce
