#pragma once

#include "softroce/device/acknowledgement.hpp"
#include "softroce/faults/faults.hpp"

namespace railgauge::softroce {

/// How long an answer takes, and how long to wait for one: Jacobson's estimator as in RFC 6298,
/// with Karn's rule (retransmissions are not sampled). The queue pair's own timeout only promises
/// when to give up, and is far too long to wait for on a network of microseconds.
class RoundTrip {
 public:
  /// On a slow line it waits for as long as full queues on the way may take, at least.
  explicit RoundTrip(double line_bits_per_second);
  void sent(Psn last, Time now);        ///< a packet that asks for an answer
  void answered(Psn up_to, Time now);   ///< every PSN before this one
  void forget() { sampling_ = false; }  ///< what is on the wire will be retransmitted
  void back_off();
  void progress() {
    if (!premature_) back_offs_ = 0;
  }
  /// The last time-out was one: what it took for lost came late. Until an answer has been timed,
  /// waits remain as long as they are now.
  void premature() { premature_ = true; }

  nanoseconds estimate() const;
  /// Never longer than `most`, the queue pair's own timeout.
  nanoseconds timeout(nanoseconds most) const;

 private:
  nanoseconds least_;
  bool sampling_ = false;
  bool known_ = false;
  bool premature_ = false;
  Psn last_ = 0;
  Time sent_at_{};
  nanoseconds smoothed_{};
  nanoseconds deviation_{};
  unsigned back_offs_ = 0;
};

}  // namespace railgauge::softroce
