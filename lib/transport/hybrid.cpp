#include "transport/hybrid.hpp"

#include <algorithm>
#include <vector>

#include "transport/neighbours.hpp"
#include "transport/shared_memory.hpp"
#include "transport/transport.hpp"

namespace railgauge::transport {
namespace {

/// One of the two transports, and which of our channels it carries.
struct Wire {
  std::unique_ptr<Pollable> transport;
  std::vector<ChannelRequest> requests;
  std::vector<Channel> ours;  // [channel of the wire]
};

/// Which wire carries one of our channels, and as which number.
struct Place {
  Wire& wire;
  Channel channel;
  Channel back;  // the peer's number for ours
};

class HybridTransport final : public Transport {
 public:
  HybridTransport(Exchange& exchange, std::span<const verbs::Port> rails,
                  std::span<const ChannelRequest> channels,
                  const std::function<bool(Rank)>& on_this_host, VerbsSettings settings)
      : exchange_(exchange), requests_(channels.begin(), channels.end()) {
    place(on_this_host);
    memory_.transport = connect_shared_memory(exchange, memory_.requests);
    settings.memory = [this](std::size_t bytes) {
      const Region region = memory_.transport->allocate(bytes);
      return std::span(region.data, region.bytes);
    };
    verbs_.transport = connect_verbs(exchange, rails, verbs_.requests, settings);
    for (Wire* wire : {&memory_, &verbs_}) {
      if (!wire->requests.empty()) in_use_.push_back(wire);
    }
    for (const Wire* wire : in_use_) {
      const auto more = wire->transport->sleepers();
      sleepers_.insert(sleepers_.end(), more.begin(), more.end());
    }
  }

  [[nodiscard]] Rank rank() const override { return exchange_.rank(); }
  [[nodiscard]] std::span<const ChannelRequest> channels() const override { return requests_; }
  [[nodiscard]] Channel peer_channel(Channel channel) const override {
    return places_[channel].back;
  }
  [[nodiscard]] std::uint32_t notifications_in_flight() const override {
    return std::min(memory_.transport->notifications_in_flight(),
                    verbs_.transport->notifications_in_flight());
  }
  [[nodiscard]] std::uint32_t copy_threshold() const override {
    return std::min(memory_.transport->copy_threshold(), verbs_.transport->copy_threshold());
  }

  /// Verbs registers what shared memory allocates, so both give it the same number.
  Region allocate(std::size_t bytes) override { return verbs_.transport->allocate(bytes); }

  [[nodiscard]] bool can_post(Channel channel) const noexcept override {
    return places_[channel].wire.transport->can_post(places_[channel].channel);
  }

  void write(Channel channel, const Write& write) noexcept override {
    places_[channel].wire.transport->write(places_[channel].channel, write);
  }

  void flush() noexcept override {
    for (const Wire* wire : in_use_) wire->transport->flush();
  }

  [[nodiscard]] std::size_t poll(std::span<Event> events) noexcept override {
    if (in_use_.size() == 1) return poll_wire(*in_use_[0], events);
    // Alternate, so that neither starves the other.
    std::ranges::reverse(in_use_);
    std::size_t count = 0;
    for (Wire* wire : in_use_) count += poll_wire(*wire, events.subspan(count));
    return count;
  }

  void idle(std::chrono::microseconds limit) noexcept override {
    // Arm both even if the first has something: both get disarmed.
    bool quiet = true;
    for (const Wire* wire : in_use_) quiet &= wire->transport->arm();
    if (quiet) sleep_on(sleepers_, limit);
    for (const Wire* wire : in_use_) wire->transport->disarm();
  }

  [[nodiscard]] bool in_flight() const noexcept override { return verbs_.transport->in_flight(); }

  [[nodiscard]] std::string describe(Channel channel) const override {
    return places_[channel].wire.transport->describe(places_[channel].channel);
  }
  [[nodiscard]] std::string explain(const Event& failed) const override {
    Event there = failed;
    there.channel = places_[failed.channel].channel;
    return places_[failed.channel].wire.transport->explain(there);
  }
  /// Shared memory has no ports.
  [[nodiscard]] finding::Location path(Channel channel) const override {
    return places_[channel].wire.transport->path(places_[channel].channel);
  }

  [[nodiscard]] std::vector<finding::Finding> faults() const override {
    return verbs_.transport->faults();
  }

 private:
  void place(const std::function<bool(Rank)>& on_this_host) {
    const std::vector<Channel> backs = peer_channels(exchange_, requests_);
    for (Channel channel = 0; channel < requests_.size(); ++channel) {
      const ChannelRequest& request = requests_[channel];
      Wire& wire = on_this_host(request.peer) ? memory_ : verbs_;
      places_.push_back({wire, static_cast<Channel>(wire.requests.size()), backs[channel]});
      wire.requests.push_back(request);
      wire.ours.push_back(channel);
    }
  }

  static std::size_t poll_wire(Wire& wire, std::span<Event> events) noexcept {
    const std::size_t count = wire.transport->poll(events);
    for (Event& event : events.first(count)) event.channel = wire.ours[event.channel];
    return count;
  }

  Exchange& exchange_;
  std::vector<ChannelRequest> requests_;
  Wire memory_;  // must outlive its registrations in verbs_
  Wire verbs_;
  std::vector<Place> places_;  // [channel]
  // Those that have channels: an empty completion queue costs a system call on a soft device.
  std::vector<Wire*> in_use_;
  std::vector<pollfd> sleepers_;
};

}  // namespace

std::unique_ptr<Transport> connect_hybrid(Exchange& exchange, std::span<const verbs::Port> rails,
                                          std::span<const ChannelRequest> channels,
                                          const std::function<bool(Rank)>& on_this_host,
                                          const VerbsSettings& settings) {
  return std::make_unique<HybridTransport>(exchange, rails, channels, on_this_host, settings);
}

}  // namespace railgauge::transport
