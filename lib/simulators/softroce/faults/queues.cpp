#include "softroce/faults/queues.hpp"

#include <algorithm>
#include <ratio>
#include <utility>

namespace railgauge::softroce {
namespace {

/// At most 5.2e14 for the largest IP packet, and what is rounded off is below the rate: no
/// overflow.
std::uint64_t scaled_bits(const Datagram& datagram) {
  return ip_packet_bytes(datagram) * 8 * std::nano::den;
}

constexpr int kOvertakers = 3;

/// How long a datagram is held if nothing follows to overtake it: long for a fabric, short for a
/// retransmission timer.
constexpr nanoseconds kLongestHold = std::chrono::milliseconds(1);

}  // namespace

void RateQueue::configure(std::uint64_t bits_per_second, Time now) {
  bits_per_second_ = bits_per_second;
  idle_since_ = now;
  rounded_off_ = 0;
}

void RateQueue::push(Waiting waiting) {
  bytes_ += ip_packet_bytes(waiting.datagram);
  queue_.push_back(std::move(waiting));
}

void RateQueue::clear() {
  queue_.clear();
  bytes_ = 0;
}

Time RateQueue::departure() const {
  const Time begins = std::max(first().arrived, idle_since_);
  if (bits_per_second_ == 0) return begins;
  return begins + nanoseconds((scaled_bits(first().datagram) + rounded_off_) / bits_per_second_);
}

Waiting RateQueue::pop() {
  idle_since_ = departure();
  if (bits_per_second_ > 0) {
    rounded_off_ = (scaled_bits(first().datagram) + rounded_off_) % bits_per_second_;
  }
  Waiting waiting = std::move(queue_.front());
  queue_.pop_front();
  bytes_ -= ip_packet_bytes(waiting.datagram);
  return waiting;
}

Time DelayLine::not_before(Time arrives) const {
  return line_.empty() ? arrives : std::max(arrives, line_.back().arrives);
}

void DelayLine::add(Datagram datagram, Time arrives, bool reordered) {
  line_.push_back({std::move(datagram), not_before(arrives), reordered});
}

std::optional<Datagram> DelayLine::take(Time now) {
  while (due().value_or(Time::max()) <= now) {
    if (held_is_next()) return release_held();
    if (!line_.front().reordered) return pass_held();
    const Time leaves = line_.front().arrives + kLongestHold;
    held_.push_back({std::move(line_.front().datagram), leaves, 0});
    line_.pop_front();
  }
  return std::nullopt;
}

std::optional<Time> DelayLine::due() const {
  if (size() == 0) return std::nullopt;
  return held_is_next() ? held_.front().leaves : line_.front().arrives;
}

void DelayLine::clear() {
  line_.clear();
  held_.clear();
}

/// The first one held has been overtaken at least as often as the others, so it leaves first.
bool DelayLine::held_is_next() const {
  if (held_.empty()) return false;
  return line_.empty() || held_.front().leaves <= line_.front().arrives;
}

Datagram DelayLine::release_held() {
  if (held_.front().passed > 0) ++overtaken_;
  Datagram datagram = std::move(held_.front().datagram);
  held_.pop_front();
  return datagram;
}

/// The first of the line leaves, and so overtakes all those held.
Datagram DelayLine::pass_held() {
  Datagram datagram = std::move(line_.front().datagram);
  for (Held& held : held_) {
    if (++held.passed == kOvertakers) held.leaves = line_.front().arrives;
  }
  line_.pop_front();
  return datagram;
}

}  // namespace railgauge::softroce
