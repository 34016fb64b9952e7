#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "transport/memory.hpp"
#include "transport/transport.hpp"

namespace railgauge::transport {

/// A wire without a wire, for what the executor costs by itself: one rank, on one thread, whose
/// peers do what it does, at the same time. What it writes to rank r + d arrives at once as what
/// rank r - d has written to it; no byte is moved. That is true of a schedule in which all ranks do
/// the same, such as a ring, and of equal blocks; others never end. Completions are reported as a
/// device's are: those that were asked for, and every kUnreported-th.
class NullTransport : public Transport {
 public:
  /// Of rank 0. Throws std::invalid_argument if a channel has no mirror image: if there is not as
  /// much to rank d as to rank -d.
  NullTransport(Rank ranks, const std::vector<ChannelRequest>& channels)
      : channels_(channels), written_(channels.size()), unreported_(channels.size()) {
    for (Channel channel = 0; channel < channels_.size(); ++channel) {
      mirror_.push_back(mirror_of(ranks, channel));
    }
    std::size_t places = 1;
    while (places < channels_.size() * kNotificationsInFlight * 4) places *= 2;
    events_.resize(places);
  }

  [[nodiscard]] Rank rank() const override { return 0; }
  [[nodiscard]] std::span<const ChannelRequest> channels() const override { return channels_; }
  [[nodiscard]] Channel peer_channel(Channel channel) const override { return mirror_[channel]; }
  [[nodiscard]] std::uint32_t notifications_in_flight() const override {
    return kNotificationsInFlight;
  }
  [[nodiscard]] std::uint32_t copy_threshold() const override { return kCopyThreshold; }

  Region allocate(std::size_t bytes) override {
    memory_.push_back(std::make_unique<Memory>(bytes));
    return share(memory_.back()->bytes());
  }
  Region share(std::span<std::byte> memory) override {
    return {.id = regions_++, .data = memory.data(), .bytes = memory.size()};
  }

  [[nodiscard]] bool can_post(Channel) const noexcept override {
    return put_ - taken_ + 2 <= events_.size();
  }

  void write(Channel channel, const Write& write) noexcept override {
    put({Event::Kind::arrived, mirror_[channel], write.notification});
    ++written_[channel];
    if (!write.report && ++unreported_[channel] < kUnreported) return;
    unreported_[channel] = 0;
    put({Event::Kind::completed, channel, written_[channel]});
  }
  void flush() noexcept override {}

  [[nodiscard]] std::size_t poll(std::span<Event> events) noexcept override {
    std::size_t count = 0;
    while (count < events.size() && taken_ != put_) {
      events[count++] = events_[taken_++ & (events_.size() - 1)];
    }
    return count;
  }
  /// Nothing will ever come: whoever waits has found a schedule that is not as described above.
  void idle(std::chrono::microseconds) noexcept override {}

  [[nodiscard]] std::string describe(Channel channel) const override {
    return "rank " + std::to_string(channels_[channel].peer) + " (null transport)";
  }
  [[nodiscard]] std::string explain(const Event&) const override { return "never fails"; }

 private:
  // As those of verbs.
  static constexpr std::uint32_t kNotificationsInFlight = 64;
  static constexpr std::uint32_t kCopyThreshold = 4096;
  static constexpr std::uint32_t kUnreported = 32;

  [[nodiscard]] Channel mirror_of(Rank ranks, Channel channel) const {
    const ChannelRequest& request = channels_[channel];
    const ChannelRequest image{(ranks - request.peer) % ranks, request.rail};
    std::size_t before = 0;  // of the channels between the same two
    for (Channel other = 0; other < channel; ++other) before += channels_[other] == request;
    for (Channel other = 0; other < channels_.size(); ++other) {
      if (channels_[other] == image && before-- == 0) return other;
    }
    throw std::invalid_argument("no channel to rank " + std::to_string(image.peer));
  }

  void put(const Event& event) noexcept { events_[put_++ & (events_.size() - 1)] = event; }

  std::vector<ChannelRequest> channels_;
  std::vector<Channel> mirror_;  // [channel]
  std::vector<std::uint64_t> written_;
  std::vector<std::uint32_t> unreported_;
  std::vector<std::unique_ptr<Memory>> memory_;
  std::uint32_t regions_ = 0;
  std::vector<Event> events_;  // a ring: a power of two
  std::size_t put_ = 0;
  std::size_t taken_ = 0;
};

}  // namespace railgauge::transport
