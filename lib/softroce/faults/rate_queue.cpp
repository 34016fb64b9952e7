#include "softroce/faults/rate_queue.hpp"

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

}  // namespace railgauge::softroce
