#include "softroce/device/round_trip.hpp"

#include <algorithm>
#include <cmath>

namespace railgauge::softroce {

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// Before the first sample: longer than a scheduler's time slice, so that a peer waiting for its CPU
// is not taken for a lost packet.
constexpr nanoseconds kFirst = milliseconds(8);
// A wake-up on a busy machine takes this long, whatever the average says.
constexpr nanoseconds kLeast = milliseconds(1);
// Retransmissions are short, and on a lossy wire there must be many before the queue pair gives up:
// at 30 % loss a request or its answer is lost half the time.
constexpr unsigned kMostBackOffs = 3;

// What may stand in the queues of switches before it: some windows of others. On fast lines that
// is less than kLeast.
constexpr double kBitsInQueues = 2.0 * 1024 * 1024 * 8;

}  // namespace

RoundTrip::RoundTrip(double line_bits_per_second)
    : least_(std::max<nanoseconds>(
          kLeast, nanoseconds(std::llround(kBitsInQueues / line_bits_per_second * 1e9)))) {}

void RoundTrip::sent(Psn last, Time now) {
  if (sampling_) return;
  sampling_ = true;
  last_ = last;
  sent_at_ = now;
}

void RoundTrip::answered(Psn up_to, Time now) {
  if (!sampling_ || psn_distance(up_to, last_) <= 0) return;
  sampling_ = false;
  premature_ = false;
  const nanoseconds sample = now - sent_at_;
  if (!known_) {
    smoothed_ = sample;
    deviation_ = sample / 2;
    known_ = true;
    return;
  }
  const nanoseconds error = sample - smoothed_;
  deviation_ += (std::chrono::abs(error) - deviation_) / 4;
  smoothed_ += error / 8;
}

nanoseconds RoundTrip::estimate() const {
  return known_ ? smoothed_ : kFirst / 2;
}

void RoundTrip::back_off() {
  back_offs_ = std::min(back_offs_ + 1, kMostBackOffs);
}

nanoseconds RoundTrip::timeout(nanoseconds most) const {
  const nanoseconds calm =
      known_ ? std::max(least_, smoothed_ + 4 * deviation_) : std::max(least_, kFirst);
  return std::min(calm * (1U << back_offs_), most);
}

}  // namespace railgauge::softroce
