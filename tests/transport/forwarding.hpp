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
  [[nodiscard]] std::span<const LaneRequest> lanes() const override { return wire_->lanes(); }
  [[nodiscard]] Lane peer_lane(Lane lane) const override { return wire_->peer_lane(lane); }
  [[nodiscard]] std::uint32_t notes_in_flight() const override { return wire_->notes_in_flight(); }
  [[nodiscard]] std::uint32_t taken_at_once() const override { return wire_->taken_at_once(); }
  Region allocate(std::size_t bytes) override { return wire_->allocate(bytes); }
  [[nodiscard]] bool room(Lane lane) const noexcept override { return wire_->room(lane); }
  void write(Lane lane, const Write& write) noexcept override { wire_->write(lane, write); }
  void flush() noexcept override { wire_->flush(); }
  [[nodiscard]] std::size_t poll(std::span<Event> events) noexcept override {
    return wire_->poll(events);
  }
  void idle(std::chrono::microseconds limit) noexcept override { wire_->idle(limit); }
  [[nodiscard]] std::string describe(Lane lane) const override { return wire_->describe(lane); }
  [[nodiscard]] std::string explain(const Event& failed) const override {
    return wire_->explain(failed);
  }

 private:
  std::unique_ptr<Transport> wire_;
};

}  // namespace railgauge::transport
