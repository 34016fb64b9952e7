// A wire of random order. What is long leaves some time after it was written, and is read only
// then, as a device reads memory; what comes waits as well. Channels are served in any order, one
// or some of theirs at a time, or none. Only the order within a channel is kept, as every wire
// does.

#include <array>
#include <deque>
#include <random>

#include "transport/forwarding.hpp"
#include "transport/in_process_wire.hpp"

namespace railgauge::transport {
namespace {

class ShuffledTransport final : public ForwardingTransport {
 public:
  ShuffledTransport(std::unique_ptr<Transport> wire, unsigned seed)
      : ForwardingTransport(std::move(wire)),
        leaving_(channels().size()),
        arrived_(channels().size()),
        random_(seed) {}

  /// What is taken at once is only kept behind what is long: nobody may poll for it.
  void write(Channel channel, const Write& write) noexcept override {
    auto& before = leaving_[channel];
    if (before.empty() && !is_long(write)) return ForwardingTransport::write(channel, write);
    before.push_back({write, {}});
    if (is_long(write)) return;
    const std::byte* from = write.local.data + write.local_offset;
    before.back().copy.assign(from, from + write.bytes);
  }

  [[nodiscard]] std::size_t poll(std::span<Event> events) noexcept override {
    for (auto& channel : leaving_) {
      if (random_() % 2 == 0) let_one_go(static_cast<Channel>(&channel - leaving_.data()));
    }
    take_in();
    std::size_t count = 0;
    const std::size_t most = random_() % (events.size() + 1);
    while (count < most && kept_ > 0) {
      auto& channel = arrived_[random_() % arrived_.size()];
      if (channel.empty()) continue;
      events[count++] = channel.front();
      channel.pop_front();
      --kept_;
    }
    return count;
  }

 private:
  struct Leaving {
    Write write;
    std::vector<std::byte> copy;  // of what is not long
  };

  [[nodiscard]] bool is_long(const Write& write) const { return write.bytes > copy_threshold(); }

  /// A long one, and what follows up to the next.
  void let_one_go(Channel number) {
    auto& channel = leaving_[number];
    if (channel.empty()) return;
    do {
      Leaving& first = channel.front();
      if (!is_long(first.write)) {
        first.write.local = {.data = first.copy.data(), .bytes = first.copy.size()};
        first.write.local_offset = 0;
      }
      ForwardingTransport::write(number, first.write);
      channel.pop_front();
    } while (!channel.empty() && !is_long(channel.front().write));
  }

  void take_in() {
    std::array<Event, 32> events;
    const std::size_t count = ForwardingTransport::poll(events);
    for (std::size_t i = 0; i < count; ++i) arrived_[events[i].channel].push_back(events[i]);
    kept_ += count;
  }

  std::vector<std::deque<Leaving>> leaving_;  // [channel]
  std::vector<std::deque<Event>> arrived_;    // [channel]
  std::size_t kept_ = 0;                      // of what arrived
  std::minstd_rand random_;
};

class ShuffledWire final : public InProcessWire {
 public:
  using InProcessWire::InProcessWire;
  std::unique_ptr<Transport> join(Exchange& exchange,
                                  std::span<const ChannelRequest> channels) override {
    return std::make_unique<ShuffledTransport>(InProcessWire::join(exchange, channels),
                                               1 + exchange.rank());
  }
};

}  // namespace

std::unique_ptr<Wire> make_wire(InProcessFabric& fabric, std::string&) {
  return std::make_unique<ShuffledWire>(fabric);
}

}  // namespace railgauge::transport
