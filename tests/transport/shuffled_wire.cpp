// A wire of random order. What is long leaves some time after it was written, and is read only
// then, as a device reads memory; what comes waits as well. Lanes are served in any order, one or
// some of theirs at a time, or none. Only the order within a lane is kept, as every wire does.

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
        leaving_(lanes().size()),
        arrived_(lanes().size()),
        random_(seed) {}

  /// What is taken at once is only kept behind what is long: nobody may poll for it.
  void write(Lane lane, const Write& write) noexcept override {
    auto& before = leaving_[lane];
    if (before.empty() && !is_long(write)) return ForwardingTransport::write(lane, write);
    before.push_back({write, {}});
    if (is_long(write)) return;
    const std::byte* from = write.local.data + write.local_offset;
    before.back().copy.assign(from, from + write.bytes);
  }

  [[nodiscard]] std::size_t poll(std::span<Event> events) noexcept override {
    for (auto& lane : leaving_) {
      if (random_() % 2 == 0) let_one_go(static_cast<Lane>(&lane - leaving_.data()));
    }
    take_in();
    std::size_t count = 0;
    const std::size_t most = random_() % (events.size() + 1);
    while (count < most && kept_ > 0) {
      auto& lane = arrived_[random_() % arrived_.size()];
      if (lane.empty()) continue;
      events[count++] = lane.front();
      lane.pop_front();
      --kept_;
    }
    return count;
  }

 private:
  struct Leaving {
    Write write;
    std::vector<std::byte> copy;  // of what is not long
  };

  [[nodiscard]] bool is_long(const Write& write) const { return write.bytes > taken_at_once(); }

  /// A long one, and what follows up to the next.
  void let_one_go(Lane number) {
    auto& lane = leaving_[number];
    if (lane.empty()) return;
    do {
      Leaving& first = lane.front();
      if (!is_long(first.write)) {
        first.write.local = {.data = first.copy.data(), .bytes = first.copy.size()};
        first.write.local_offset = 0;
      }
      ForwardingTransport::write(number, first.write);
      lane.pop_front();
    } while (!lane.empty() && !is_long(lane.front().write));
  }

  void take_in() {
    std::array<Event, 32> events;
    const std::size_t count = ForwardingTransport::poll(events);
    for (std::size_t i = 0; i < count; ++i) arrived_[events[i].lane].push_back(events[i]);
    kept_ += count;
  }

  std::vector<std::deque<Leaving>> leaving_;  // [lane]
  std::vector<std::deque<Event>> arrived_;    // [lane]
  std::size_t kept_ = 0;                      // of what arrived
  std::minstd_rand random_;
};

class ShuffledWire final : public InProcessWire {
 public:
  using InProcessWire::InProcessWire;
  std::unique_ptr<Transport> join(Exchange& exchange, std::span<const LaneRequest> lanes) override {
    return std::make_unique<ShuffledTransport>(InProcessWire::join(exchange, lanes),
                                               1 + exchange.rank());
  }
};

}  // namespace

std::unique_ptr<Wire> make_wire(InProcessFabric& fabric, std::string&) {
  return std::make_unique<ShuffledWire>(fabric);
}

}  // namespace railgauge::transport
