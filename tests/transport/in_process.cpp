#include "transport/in_process.hpp"

#include <cassert>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "transport/memory.hpp"
#include "transport/neighbours.hpp"
#include "transport/transport.hpp"

namespace railgauge::transport {

struct InProcessFabric::Endpoint {
  std::vector<Memory> own;  // the rank's; of the regions, what was allocated here
  std::mutex mutex;         // guards these, and what peers write into the memory
  std::deque<Event> events;
  std::condition_variable came;              // an event
  std::vector<std::span<std::byte>> memory;  // by region number
};

namespace {

std::string pair_in_words(Rank from, const ChannelRequest& channel) {
  std::ostringstream words;
  words << "rank " << from << " to rank " << channel.peer << " on rail " << channel.rail
        << " (in-process wire)";
  return words.str();
}

}  // namespace

class InProcessExchange final : public Exchange {
 public:
  InProcessExchange(InProcessFabric& fabric, Rank rank) : fabric_(fabric), rank_(rank) {}
  [[nodiscard]] Rank rank() const override { return rank_; }
  [[nodiscard]] Rank ranks() const override { return static_cast<Rank>(fabric_.endpoints_.size()); }
  std::vector<Bytes> all_gather(std::span<const std::byte> own) override {
    return fabric_.gather(rank_, own);
  }
  std::vector<Bytes> exchange_with(std::span<const Rank> peers,
                                   std::span<const Bytes> own) override {
    fabric_.hand_over(rank_, peers, own);
    return fabric_.await(rank_, peers);
  }

 private:
  InProcessFabric& fabric_;
  Rank rank_;
};

class InProcessTransport final : public Transport {
 public:
  InProcessTransport(InProcessFabric& fabric, Exchange& exchange,
                     std::span<const ChannelRequest> channels)
      : fabric_(fabric),
        exchange_(exchange),
        rank_(exchange.rank()),
        channels_(channels.begin(), channels.end()),
        written_(channels.size()),
        back_(peer_channels(exchange, channels_)) {
    meet_neighbours(exchange, channels_);  // no peer writes before this rank is connected
  }

  [[nodiscard]] Rank rank() const override { return rank_; }
  [[nodiscard]] std::span<const ChannelRequest> channels() const override { return channels_; }
  [[nodiscard]] Channel peer_channel(Channel channel) const override { return back_[channel]; }
  [[nodiscard]] std::uint32_t notifications_in_flight() const override {
    return kNotificationsInFlight;
  }
  [[nodiscard]] std::uint32_t copy_threshold() const override { return kCopyThreshold; }

  Region allocate(std::size_t bytes) override {
    auto& own = fabric_.endpoints_[rank_]->own;
    return share(own.emplace_back(bytes).bytes());
  }

  Region share(std::span<std::byte> memory) override {
    auto& endpoint = *fabric_.endpoints_[rank_];
    Region region{.data = memory.data(), .bytes = memory.size()};
    {
      const std::scoped_lock lock(endpoint.mutex);
      region.id = static_cast<std::uint32_t>(endpoint.memory.size());
      endpoint.memory.push_back(memory);
    }
    meet_neighbours(exchange_, channels_);  // no peer writes before this rank has allocated
    return region;
  }

  [[nodiscard]] bool can_post(Channel) const noexcept override { return true; }

  void write(Channel channel, const Write& write) noexcept override {
    const Rank peer = channels_[channel].peer;
    const auto link = fabric_.link(rank_, peer);
    if (link == InProcessFabric::Link::severed) return;
    if (link == InProcessFabric::Link::failing) {
      return put(rank_, {Event::Kind::failed, channel, 0});
    }
    deliver(peer, write, {Event::Kind::arrived, back_[channel], write.notification});
    put(rank_, {Event::Kind::completed, channel, ++written_[channel]});
  }

  void flush() noexcept override {}  // written at once

  [[nodiscard]] std::size_t poll(std::span<Event> events) noexcept override {
    const std::size_t count = take(events);
    if (count == 0) std::this_thread::yield();  // ranks are more than processors
    return count;
  }

  void idle(std::chrono::microseconds limit) noexcept override {
    auto& endpoint = *fabric_.endpoints_[rank_];
    std::unique_lock lock(endpoint.mutex);
    endpoint.came.wait_for(lock, limit, [&] { return !endpoint.events.empty(); });
  }

  [[nodiscard]] std::string describe(Channel channel) const override {
    return pair_in_words(rank_, channels_[channel]);
  }
  [[nodiscard]] std::string explain(const Event&) const override { return "the wire was cut"; }

 private:
  static constexpr std::uint32_t kNotificationsInFlight = 256;  // in fact there is no limit
  static constexpr std::uint32_t kCopyThreshold = 64;  // as for a device; in fact all are copied

  std::size_t take(std::span<Event> events) {
    auto& endpoint = *fabric_.endpoints_[rank_];
    const std::scoped_lock lock(endpoint.mutex);
    std::size_t count = 0;
    while (count < events.size() && !endpoint.events.empty()) {
      events[count++] = endpoint.events.front();
      endpoint.events.pop_front();
    }
    return count;
  }

  void deliver(Rank peer, const Write& write, const Event& arrival) {
    auto& endpoint = *fabric_.endpoints_[peer];
    const std::scoped_lock lock(endpoint.mutex);
    if (write.bytes > 0) {
      const auto to = endpoint.memory[write.remote_id];
      assert(write.remote_offset + write.bytes <= to.size());
      assert(write.local_offset + write.bytes <= write.local.bytes);
      std::memcpy(to.data() + write.remote_offset, write.local.data + write.local_offset,
                  write.bytes);
    }
    endpoint.events.push_back(arrival);
    endpoint.came.notify_one();
  }

  void put(Rank rank, const Event& event) {
    auto& endpoint = *fabric_.endpoints_[rank];
    const std::scoped_lock lock(endpoint.mutex);
    endpoint.events.push_back(event);
    endpoint.came.notify_one();
  }

  InProcessFabric& fabric_;
  Exchange& exchange_;
  Rank rank_;
  std::vector<ChannelRequest> channels_;
  std::vector<std::uint64_t> written_;
  std::vector<Channel> back_;
};

InProcessFabric::InProcessFabric(Rank ranks, std::chrono::milliseconds limit)
    : limit_(limit), brought_(ranks) {
  for (Rank rank = 0; rank < ranks; ++rank) endpoints_.push_back(std::make_unique<Endpoint>());
}

InProcessFabric::~InProcessFabric() = default;

std::unique_ptr<Exchange> InProcessFabric::exchange(Rank rank) {
  return std::make_unique<InProcessExchange>(*this, rank);
}

std::unique_ptr<Transport> InProcessFabric::join(Exchange& exchange,
                                                 std::span<const ChannelRequest> channels) {
  return std::make_unique<InProcessTransport>(*this, exchange, channels);
}

void InProcessFabric::sever(Rank from, Rank to) {
  set_link(from, to, Link::severed);
}
void InProcessFabric::fail(Rank from, Rank to) {
  set_link(from, to, Link::failing);
}

std::vector<Bytes> InProcessFabric::gather(Rank rank, std::span<const std::byte> own) {
  std::unique_lock lock(mutex_);
  brought_[rank].assign(own.begin(), own.end());
  const std::uint64_t round = round_;
  if (++waiting_ == endpoints_.size()) {
    result_ = brought_;
    waiting_ = 0;
    ++round_;
    gathered_.notify_all();
  }
  gathered_.wait(lock, [&] { return round_ != round; });
  return result_;
}

void InProcessFabric::hand_over(Rank from, std::span<const Rank> peers,
                                std::span<const Bytes> own) {
  const std::scoped_lock lock(mutex_);
  for (std::size_t i = 0; i < peers.size(); ++i) handed_[{from, peers[i]}].push_back(own[i]);
  came_.notify_all();
}

std::vector<Bytes> InProcessFabric::await(Rank rank, std::span<const Rank> peers) {
  const auto give_up = std::chrono::steady_clock::now() + limit_;
  std::unique_lock lock(mutex_);
  std::vector<Bytes> came;
  for (const Rank peer : peers) {
    auto& messages = handed_[{peer, rank}];  // stays where it is when others come
    if (!came_.wait_until(lock, give_up, [&] { return !messages.empty(); })) {
      throw std::runtime_error("rank " + std::to_string(peer) + " does not answer rank " +
                               std::to_string(rank));
    }
    came.push_back(std::move(messages.front()));
    messages.pop_front();
  }
  return came;
}

InProcessFabric::Link InProcessFabric::link(Rank from, Rank to) {
  const std::scoped_lock lock(mutex_);
  const auto broken = broken_.find({from, to});
  return broken == broken_.end() ? Link::whole : broken->second;
}

void InProcessFabric::set_link(Rank from, Rank to, Link link) {
  const std::scoped_lock lock(mutex_);
  broken_[{from, to}] = link;
}

}  // namespace railgauge::transport
