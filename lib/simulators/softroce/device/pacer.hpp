#pragma once

#include <cstddef>

#include "softroce/faults/faults.hpp"

namespace railgauge::softroce {

/// The line of a port, at a rate: what leaves waits in the queue pairs until the line is nearly
/// free, as in a NIC, and not in a queue behind the port, where a short answer would stand behind
/// all that was posted before it. Without a rate the line is always free.
class Pacer {
 public:
  void set_rate(double bits_per_second);
  bool paces() const { return nanoseconds_per_byte_ > 0; }

  /// Whether the next packet may be handed over: a little before the line is free, so that the line
  /// does not fall idle while a thread wakes up.
  bool is_free(Time now) const { return line_free_ - ahead_ <= now; }
  /// When to wake up for it: later, for several at once.
  Time wake_up() const { return line_free_ - ahead_ / 2; }

  /// A datagram was handed over, of so many bytes of UDP payload. What waited for the line before
  /// it and was fetched late, because the thread was, catches up.
  void sent(std::size_t bytes, bool waited, Time now);

 private:
  double nanoseconds_per_byte_ = 0;
  nanoseconds ahead_{0};
  Time line_free_{};  ///< when all that was handed over will have left
};

}  // namespace railgauge::softroce
