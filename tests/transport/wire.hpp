#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "transport/in_process.hpp"

namespace railgauge::transport {

/// The wire that a test binary is built with: all of them run the same tests. CMake links one of
/// the objects wire_in_process, wire_shuffled, wire_shared_memory, wire_verbs and wire_hybrid.
class Wire {
 public:
  Wire() = default;
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;
  virtual ~Wire() = default;
  [[nodiscard]] virtual unsigned rails() const = 0;
  virtual std::unique_ptr<Transport> join(Exchange& exchange,
                                          std::span<const ChannelRequest> channels) = 0;
  /// From now on nothing that `from` writes reaches `to`, or `from` is told that it failed. Only
  /// the in-process wire can do so.
  virtual void sever(Rank from, Rank to) = 0;
  virtual void fail(Rank from, Rank to) = 0;
};

/// One wire for all ranks of a test. Null, with the reason, if it cannot run here.
std::unique_ptr<Wire> make_wire(InProcessFabric& fabric, std::string& why_not);

/// Runs `body` once per rank, each on a thread of its own, over a wire and an exchange. An
/// exception in a rank aborts the test. The test is skipped if the wire cannot run here.
struct RankContext {
  Wire& wire;
  Exchange& exchange;
  Rank rank;
  Rank ranks;
};
void run_ranks(Rank ranks, const std::function<void(RankContext&)>& body);

/// Waits for one event, at most ten seconds.
Event next_event(Transport& transport);

/// Forwards to another transport: for tests that change one thing about it.
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
