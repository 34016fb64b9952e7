// How ranks tell each other, between runs, when single chunks arrived.

#include <algorithm>
#include <cstring>

#include "executor/executor.hpp"

namespace railgauge::executor {

using transport::Channel;
using Clock = std::chrono::steady_clock;

Outcome Executor::exchange_samples(const RunLimits& limits) {
  constexpr std::chrono::microseconds kSleep{1000};
  begin_exchange();
  Channel next = 0;
  while (next < channels_.size() || !told_by_all()) {
    next = tell_arrivals(next);
    if (take_events()) continue;
    if (failed_) return exchange_ended(Ending::failed, fault());
    if (Clock::now() > limits.deadline) return exchange_ended(Ending::deadline, "no end in sight");
    if (limits.stop()) return exchange_ended(Ending::stopped, "told to stop");
    transport_.idle(kSleep);
  }
  return {};
}

void Executor::begin_exchange() {
  ++exchanges_;
  for (Channel channel = 0; channel < channels_.size(); ++channel) {
    std::memcpy(arrival_times_.data + own_times(channel), samples_.arrivals(channel).data(),
                EdgeSamples::kBytes);
  }
}

/// On this channel and those after it, as far as they take it; returns the first that does not.
Channel Executor::tell_arrivals(Channel from) {
  for (; from < channels_.size() && transport_.can_post(from); ++from) {
    transport_.write(from,
                     {.local = arrival_times_,
                      .local_offset = own_times(from),
                      .remote_id = arrival_times_.id,
                      .remote_offset = transport_.peer_channel(from) * EdgeSamples::kBytes,
                      .bytes = EdgeSamples::kBytes,
                      .notification = Notification{false, run_, Notification::kTimes}.bits()});
    ++channels_[from].writes;
  }
  transport_.flush();
  return from;
}

bool Executor::told_by_all() const {
  return std::ranges::all_of(
      channels_, [&](const ChannelProgress& channel) { return channel.exchanges >= exchanges_; });
}

Outcome Executor::exchange_ended(Ending ending, const std::string& why) const {
  Outcome outcome{.ending = ending,
                  .why = "while ranks told each other when chunks had arrived: " + why,
                  .faults = transport_.faults()};
  for (Channel channel = 0; channel < channels_.size(); ++channel) {
    if (channels_[channel].exchanges < exchanges_)
      outcome.waits += "\nwaits for the times of " + transport_.describe(channel);
  }
  return outcome;
}

std::vector<EdgeSample> Executor::samples(Channel channel) const {
  const auto* times = reinterpret_cast<const std::int64_t*>(arrival_times_.data);
  return samples_.of(
      channel, std::span(times + std::size_t{channel} * EdgeSamples::kMost, EdgeSamples::kMost));
}

}  // namespace railgauge::executor
