// All wires; CMake compiles this file once for each, with RAILGAUGE_WIRE naming the one to use.

#include "transport/wire.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <random>
#include <stdexcept>
#include <thread>

#include "transport/hybrid.hpp"
#include "transport/shared_memory.hpp"

namespace railgauge::transport {
namespace {

/// Ranks that are threads: the library's own in-process wire.
class InProcessWire : public Wire {
 public:
  explicit InProcessWire(InProcessFabric& fabric) : fabric_(fabric) {}
  [[nodiscard]] unsigned rails() const override { return 2; }
  std::unique_ptr<Transport> join(Exchange& exchange,
                                  std::span<const ChannelRequest> channels) override {
    return fabric_.join(exchange, channels);
  }
  void sever(Rank from, Rank to) override { fabric_.sever(from, to); }
  void fail(Rank from, Rank to) override { fabric_.fail(from, to); }

 private:
  InProcessFabric& fabric_;
};

// A wire of random order. A long write leaves some time after it was posted, and its memory is read
// only then, as a device does it; arrivals wait as well. Channels are served in random order, one
// or several of their events at a time, or none. Only the order within a channel is kept, as on
// every wire.

class ShuffledTransport final : public ForwardingTransport {
 public:
  ShuffledTransport(std::unique_ptr<Transport> wire, unsigned seed)
      : ForwardingTransport(std::move(wire)),
        leaving_(channels().size()),
        arrived_(channels().size()),
        random_(seed) {}

  /// A short write is copied, and held back only behind a long one: nobody may poll for it.
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

  void idle(std::chrono::microseconds limit) noexcept override {
    const auto is_empty = [](const auto& channel) { return channel.empty(); };
    if (kept_ == 0 && std::ranges::all_of(leaving_, is_empty)) ForwardingTransport::idle(limit);
  }

 private:
  struct Leaving {
    Write write;
    std::vector<std::byte> copy;  // of a short write
  };

  [[nodiscard]] bool is_long(const Write& write) const { return write.bytes > copy_threshold(); }

  /// A long one, and what follows up to the next long one.
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
  std::size_t kept_ = 0;                      // arrivals held back
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

/// Rails are labels only here; two of them, so that ranks have more than one channel to a peer.
class SharedMemoryWire final : public Wire {
 public:
  [[nodiscard]] unsigned rails() const override { return 2; }
  std::unique_ptr<Transport> join(Exchange& exchange,
                                  std::span<const ChannelRequest> channels) override {
    return connect_shared_memory(exchange, channels);
  }
  void sever(Rank, Rank) override { throw std::logic_error("memory cannot be severed"); }
  void fail(Rank, Rank) override { throw std::logic_error("memory cannot fail on demand"); }
};

/// On this host's own devices: a pair of ranks talks through one device's loopback.
class DeviceWire : public Wire {
 public:
  explicit DeviceWire(std::vector<verbs::Port> ports) : ports_(std::move(ports)) {}
  [[nodiscard]] unsigned rails() const override { return static_cast<unsigned>(ports_.size()); }
  void sever(Rank, Rank) override { throw std::logic_error("a device cannot be severed here"); }
  void fail(Rank, Rank) override { throw std::logic_error("a device cannot fail on demand"); }

 protected:
  std::vector<verbs::Port> ports_;
};

class VerbsWire final : public DeviceWire {
 public:
  using DeviceWire::DeviceWire;
  std::unique_ptr<Transport> join(Exchange& exchange,
                                  std::span<const ChannelRequest> channels) override {
    return connect_verbs(exchange, ports_, channels, {.queue_pairs = {}, .host = "here"});
  }
};

/// As if ranks 0 and 1 were on one host, 2 and 3 on the next, and so on: both wires are used.
class HybridWire final : public DeviceWire {
 public:
  using DeviceWire::DeviceWire;
  std::unique_ptr<Transport> join(Exchange& exchange,
                                  std::span<const ChannelRequest> channels) override {
    const auto is_local = [&](Rank peer) { return peer / 2 == exchange.rank() / 2; };
    return connect_hybrid(exchange, ports_, channels, is_local,
                          {.queue_pairs = {}, .host = "here"});
  }
};

template <class AWire>
std::unique_ptr<Wire> make_device_wire(std::string& why_not) {
  std::vector<verbs::Port> ports = verbs::find_ports();
  why_not = "needs an RDMA device: " + verbs::explain_no_usable_port(ports);
  std::erase_if(ports, [](const verbs::Port& port) { return !port.usable(); });
  if (ports.empty()) return nullptr;
  return std::make_unique<AWire>(ports);
}

enum class Kind { in_process, shuffled, shared_memory, verbs, hybrid };
constexpr Kind kKind = Kind::RAILGAUGE_WIRE;

}  // namespace

std::unique_ptr<Wire> make_wire(InProcessFabric& fabric, std::string& why_not) {
  switch (kKind) {
    case Kind::in_process: return std::make_unique<InProcessWire>(fabric);
    case Kind::shuffled: return std::make_unique<ShuffledWire>(fabric);
    case Kind::shared_memory: return std::make_unique<SharedMemoryWire>();
    case Kind::verbs: return make_device_wire<VerbsWire>(why_not);
    case Kind::hybrid: return make_device_wire<HybridWire>(why_not);
  }
  return nullptr;
}

void run_ranks(Rank ranks, const std::function<void(RankContext&)>& body) {
  InProcessFabric fabric(ranks);
  std::string why_not;
  const std::unique_ptr<Wire> wire = make_wire(fabric, why_not);
  if (!wire) GTEST_SKIP() << why_not;
  std::vector<std::thread> threads;
  for (Rank rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        const auto exchange = fabric.exchange(rank);
        RankContext context{*wire, *exchange, rank, ranks};
        body(context);
      } catch (const std::exception& error) {
        // The other ranks would wait for this one for ever.
        std::fprintf(stderr, "rank %u: %s\n", rank, error.what());
        std::abort();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

Event next_event(Transport& transport) {
  std::array<Event, 1> event;
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (transport.poll(event) == 0) {
    if (std::chrono::steady_clock::now() > give_up) throw std::runtime_error("no event came");
    transport.idle(std::chrono::microseconds(1000));
  }
  return event[0];
}

}  // namespace railgauge::transport
