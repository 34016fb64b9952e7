#include "executor/edge_samples.hpp"

#include <algorithm>

namespace railgauge::executor {

using transport::Channel;
using Clock = std::chrono::steady_clock;

EdgeSamples::EdgeSamples(std::size_t channels)
    : channels_(channels), sent_(channels * kMost), arrived_(channels * kMost) {}

void EdgeSamples::prepare(transport::Channel channel, std::uint32_t sends, std::uint32_t arrivals) {
  channels_[channel] = {.sends = sends, .arrives = arrivals};
}

void EdgeSamples::restart() {
  run_ = kNever;  // one before the first
  stride_ = 1;
  slot_ = kNever;
  early_slot_ = 0;
  std::ranges::fill(sent_, EdgeSample{});
  std::ranges::fill(arrived_, 0);
  for (auto& channel : channels_) {
    channel.send_at = channel.arrive_at = kNever;
    channel.early_at = chosen(0, channel.arrives);
    channel.pending = 0;
  }
}

void EdgeSamples::begin_run() {
  ++run_;
  if (run_ == kMost * stride_) thin_out();
  slot_ = slot_of(run_, stride_);
  early_slot_ = slot_of(run_ + 1, stride_);
  for (auto& channel : channels_) {
    channel.send_at = slot_ == kNever ? kNever : chosen(run_, channel.sends);
    channel.arrive_at = slot_ == kNever ? kNever : chosen(run_, channel.arrives);
    channel.early_at = early_slot_ == kNever ? kNever : chosen(run_ + 1, channel.arrives);
  }
}

std::uint32_t EdgeSamples::slot_of(std::uint32_t run, std::uint32_t stride) {
  return run % stride != 0 || run / stride >= kMost ? kNever : run / stride;
}

/// A different chunk every time, which both ends know.
std::uint32_t EdgeSamples::chosen(std::uint32_t run, std::uint32_t chunks) {
  constexpr std::uint32_t kSpread =
      2654435761U;  // Knuth, TAOCP 3, section 6.4: 2^32 / golden ratio
  return chunks == 0 ? kNever : (run * kSpread >> 8U) % chunks;
}

/// Every second sample makes room for as many runs as there were.
void EdgeSamples::thin_out() {
  stride_ *= 2;
  for (Channel channel = 0; channel < channels_.size(); ++channel) {
    const auto begin = static_cast<std::ptrdiff_t>(channel) * kMost;
    const auto sent = sent_.begin() + begin;
    const auto arrived = arrived_.begin() + begin;
    for (std::ptrdiff_t slot = 0; slot < kMost / 2; ++slot) {
      sent[slot] = sent[2 * slot];
      arrived[slot] = arrived[2 * slot];
    }
    std::fill_n(sent + kMost / 2, kMost / 2, EdgeSample{});
    std::fill_n(arrived + kMost / 2, kMost / 2, 0);
    channels_[channel].pending = 0;
  }
}

void EdgeSamples::posted(Channel channel, std::uint64_t write, std::uint32_t bytes) {
  if (slot_ == kNever) return;
  channels_[channel].pending = write;
  channels_[channel].pending_slot = slot_;
  channels_[channel].send_at = kNever;
  sent_[std::size_t{channel} * kMost + slot_] = {.posted = Clock::now(), .bytes = bytes};
}

void EdgeSamples::complete(Channel channel) {
  const std::size_t place = std::size_t{channel} * kMost + channels_[channel].pending_slot;
  sent_[place].completed = Clock::now();
  channels_[channel].pending = 0;
}

void EdgeSamples::arrive(Channel channel, std::uint32_t slot) {
  if (slot == kNever) return;
  arrived_[std::size_t{channel} * kMost + slot] = Clock::now().time_since_epoch().count();
}

std::span<const std::int64_t> EdgeSamples::arrivals(Channel channel) const {
  return std::span(arrived_).subspan(std::size_t{channel} * kMost, kMost);
}

std::vector<EdgeSample> EdgeSamples::of(Channel channel,
                                        std::span<const std::int64_t> arrivals) const {
  std::vector<EdgeSample> samples;
  for (std::uint32_t slot = 0; slot < kMost; ++slot) {
    EdgeSample sample = sent_[std::size_t{channel} * kMost + slot];
    if (sample.posted == EdgeSample::Time{}) continue;
    sample.arrived = EdgeSample::Time(std::chrono::nanoseconds(arrivals[slot]));
    samples.push_back(sample);
  }
  return samples;
}

}  // namespace railgauge::executor
