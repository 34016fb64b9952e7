#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "executor/null_transport.hpp"

namespace railgauge::transport {

/// A link of a rate, and a round trip, in a time of its own, which passes only while there is
/// nothing to do: for what a rank's chunks wait for, on any machine. As NullTransport, one rank
/// whose peers do what it does. Chunks leave one after the other; grants, which are empty, do not
/// wait behind them, as a NIC serves its queue pairs in turn.
class TimedTransport final : public NullTransport {
 public:
  struct Link {
    double gigabits_per_second = 0;
    double round_trip_us = 0;
    double reduction_us = 0;  ///< that a chunk takes which has arrived; nothing else takes time
  };

  TimedTransport(Rank ranks, const std::vector<ChannelRequest>& channels, const Link& link)
      : NullTransport(ranks, channels), link_(link), posted_(channels.size()) {}

  [[nodiscard]] double now_us() const { return now_us_; }
  /// In which chunks left.
  [[nodiscard]] double busy_us() const { return busy_us_; }

  [[nodiscard]] bool can_post(Channel) const noexcept override { return true; }

  void write(Channel channel, const Write& write) noexcept override {
    constexpr double kBytesPerGigabitMicrosecond = 125;
    const double took_us = write.bytes / (kBytesPerGigabitMicrosecond * link_.gigabits_per_second);
    double left_us = now_us_;
    if (write.bytes > 0) left_us = free_at_us_ = std::max(free_at_us_, now_us_) + took_us;
    busy_us_ += took_us;
    add({left_us + link_.round_trip_us / 2,
         write.bytes > 0,
         {Event::Kind::arrived, peer_channel(channel), write.notification}});
    add({left_us + link_.round_trip_us,
         false,
         {Event::Kind::completed, channel, ++posted_[channel]}});
    idle_ = false;
  }

  [[nodiscard]] std::size_t poll(std::span<Event> events) noexcept override {
    if (events.empty() || to_come_.empty()) return 0;
    if (to_come_.front().at_us > now_us_) {
      if (idle_) now_us_ = to_come_.front().at_us;  // the rank has done all it can
      idle_ = !idle_;
      return 0;
    }
    if (to_come_.front().is_chunk) now_us_ += link_.reduction_us;
    events[0] = to_come_.front().event;
    to_come_.pop_front();
    return 1;
  }

 private:
  struct Coming {
    double at_us = 0;
    bool is_chunk = false;
    Event event{};
  };

  void add(const Coming& one) {
    to_come_.insert(std::ranges::upper_bound(to_come_, one.at_us, {}, &Coming::at_us), one);
  }

  Link link_;
  std::vector<std::uint64_t> posted_;  // [channel]
  std::deque<Coming> to_come_;         // the next first
  double now_us_ = 0;
  double free_at_us_ = 0;
  double busy_us_ = 0;
  bool idle_ = false;
};

}  // namespace railgauge::transport
