#pragma once

#include <memory>
#include <utility>

#include "transport/transport.hpp"

namespace railgauge::transport {

/// A wire that is another one: for tests that change a thing about it.
class ForwardingTransport : public Transport {
 public:
  explicit ForwardingTransport(std::unique_ptr<Transport> wire) : wire_(std::move(wire)) {}

  [[nodiscard]] Rank rank() const override { return wire_->rank(); }
  [[nodiscard]] std::span<const ChannelRequest> channels() const override {
    return wire_->channels();
  }
  [[nodiscard]] Channel peer_channel(Channel channel) const override {
    return wire_->peer_channel(channel);
  }
  [[nodiscard]] std::uint32_t notifications_in_flight() const override {
    return wire_->notifications_in_flight();
  }
  [[nodiscard]] std::uint32_t copy_threshold() const override { return wire_->copy_threshold(); }
  Region allocate(std::size_t bytes) override { return wire_->allocate(bytes); }
  [[nodiscard]] bool can_post(Channel channel) const noexcept override {
    return wire_->can_post(channel);
  }
  void write(Channel channel, const Write& write) noexcept override {
    wire_->write(channel, write);
  }
  void flush() noexcept override { wire_->flush(); }
  [[nodiscard]] std::size_t poll(std::span<Event> events) noexcept override {
    return wire_->poll(events);
  }
  void idle(std::chrono::microseconds limit) noexcept override { wire_->idle(limit); }
  [[nodiscard]] std::string describe(Channel channel) const override {
    return wire_->describe(channel);
  }
  [[nodiscard]] std::string explain(const Event& failed) const override {
    return wire_->explain(failed);
  }

 private:
  std::unique_ptr<Transport> wire_;
};

}  // namespace railgauge::transport
