#include "softroce/faults/dcqcn.hpp"

#include <algorithm>
#include <cmath>

namespace railgauge::softroce {
namespace {

using std::chrono::microseconds;

// Zhu et al., SIGCOMM 2015: section 5.2 and table 14.
constexpr double kG = 1.0 / 256;
constexpr nanoseconds kTimer = microseconds(55);  // alpha's and the rate's
constexpr std::uint64_t kByteCounter = 10'000'000;
constexpr int kFastRecoveryStages = 5;           // F
constexpr double kAdditiveOfLine = 40e6 / 40e9;  // R_AI
constexpr nanoseconds kNotificationInterval = microseconds(50);

// The paper leaves hyper increase to QCN, whose steps grow by R_HAI per stage, with R_HAI ten times
// R_AI: IEEE 802.1Qau, rpgHaiRate 50 Mb/s and rpgAiRate 5 Mb/s.
constexpr double kHyperOfLine = 10 * kAdditiveOfLine;

constexpr double kLeastBitsPerSecond = 10e6;
constexpr double kLeastOfLine = 1e-2;

/// From here on up times are the paper's, see ReactionPoint and NotificationPoint.
constexpr double kFastToRecover = 500e6;
constexpr double kFastToNotify = 2e9;

/// A sender that is late by up to this may send what it missed at once, so that it loses no
/// throughput: a sleeping thread wakes up 50 us late (Linux's default timer slack, prctl(2)).
constexpr nanoseconds kLateness = microseconds(50);

/// Below `fast` bits per second the time is longer, in inverse proportion to the line rate.
nanoseconds at_rate(nanoseconds time, double fast, double line_bits_per_second) {
  const double longer = std::max(1.0, fast / line_bits_per_second);
  return nanoseconds(std::llround(static_cast<double>(time.count()) * longer));
}

}  // namespace

ReactionPoint::ReactionPoint(double line_bits_per_second)
    : line_(line_bits_per_second),
      timer_period_(at_rate(kTimer, kFastToRecover, line_)),
      least_(std::min(kLeastBitsPerSecond, line_ * kLeastOfLine)),
      current_(line_),
      target_(line_) {}

void ReactionPoint::congestion_notification(Time now) {
  advance(now);
  fade(now);
  if (!limited_) {
    limited_ = true;
    current_ = line_;
    paid_ = now;
  }
  target_ = current_;
  current_ = std::max(current_ * (1 - alpha_ / 2), least_);
  alpha_ = (1 - kG) * alpha_ + kG;
  restart_recovery(now);
}

Time ReactionPoint::may_send(std::size_t bytes, Time now) {
  advance(now);
  return limited_ ? paid_until(bytes, now) + pace(bytes) : now;
}

void ReactionPoint::sent(std::size_t bytes, Time now) {
  advance(now);
  if (!limited_) return;
  paid_ = paid_until(bytes, now) + pace(bytes);
  for (bytes_ += bytes; limited_ && bytes_ >= kByteCounter; bytes_ -= kByteCounter) {
    ++byte_stage_;
    increase();
  }
}

void ReactionPoint::restart_recovery(Time now) {
  last_cut_ = now;
  timer_ = now;
  timer_stage_ = 0;
  byte_stage_ = 0;
  bytes_ = 0;
}

/// Without CNPs alpha decays at every timer; catches up on all decays since the last call.
void ReactionPoint::fade(Time now) {
  if (!last_cut_) return;
  const auto periods = std::max(now - *last_cut_, nanoseconds(0)) / timer_period_;
  alpha_ *= std::pow(1 - kG, static_cast<double>(periods));
}

/// Catches up on the expiries of the rate's timer until `now`. Terminates: after fast recovery
/// every expiry raises the target by 1/1000 of the line rate, which is soon reached.
void ReactionPoint::advance(Time now) {
  while (limited_ && now - timer_ >= timer_period_) {
    timer_ += timer_period_;
    ++timer_stage_;
    increase();
  }
}

/// The paper's figure 7: halve the distance to the target, which stays in fast recovery, and rises
/// by a step once one of timer and byte counter has had its stages, by growing steps once both
/// have.
void ReactionPoint::increase() {
  const int most = std::max(timer_stage_, byte_stage_);
  const int least = std::min(timer_stage_, byte_stage_);
  if (least > kFastRecoveryStages) {
    target_ += (least - kFastRecoveryStages) * kHyperOfLine * line_;
  } else if (most >= kFastRecoveryStages) {
    target_ += kAdditiveOfLine * line_;
  }
  target_ = std::min(target_, line_);
  current_ = (target_ + current_) / 2;
  // The distance halves for ever: what is left of it after the last whole step is nothing.
  limited_ = current_ < line_ * (1 - kAdditiveOfLine);
}

nanoseconds ReactionPoint::pace(std::size_t bytes) const {
  return nanoseconds(std::llround(static_cast<double>(bytes) * 8e9 / current_));
}

Time ReactionPoint::paid_until(std::size_t bytes, Time now) const {
  return std::max(paid_, now - kLateness - pace(bytes));
}

NotificationPoint::NotificationPoint(double line_bits_per_second)
    : interval_(at_rate(kNotificationInterval, kFastToNotify, line_bits_per_second)) {}

bool NotificationPoint::marked(Time now) {
  if (last_ && now - *last_ < interval_) return false;
  last_ = now;
  return true;
}

}  // namespace railgauge::softroce
