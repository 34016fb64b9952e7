#include "transport/in_process.hpp"

#include <cassert>
#include <cstring>
#include <sstream>
#include <thread>

#include "transport/counterpart.hpp"
#include "transport/memory.hpp"

namespace railgauge::transport {

struct InProcessFabric::Mailbox {
  std::mutex mutex;  // guards what peers write into the memory, as well as these
  std::deque<Event> mailbox;
  std::vector<Memory> memory;  // by region number
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
  [[nodiscard]] Rank ranks() const override { return static_cast<Rank>(fabric_.stations_.size()); }
  std::vector<Bytes> all_gather(std::span<const std::byte> own) override {
    return fabric_.gather(rank_, own);
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
        written_(channels.size()) {
    const auto everybody = transport::all_gather(exchange, channels_);
    for (Channel channel = 0; channel < channels_.size(); ++channel) {
      back_.push_back(
          counterpart(channels_, channel, rank_, everybody.at(channels_[channel].peer)));
    }
    exchange.all_gather({});  // nobody writes before everybody is connected
  }

  [[nodiscard]] Rank rank() const override { return rank_; }
  [[nodiscard]] std::span<const ChannelRequest> channels() const override { return channels_; }
  [[nodiscard]] Channel peer_channel(Channel channel) const override { return back_[channel]; }
  [[nodiscard]] std::uint32_t notifications_in_flight() const override {
    return kNotificationsInFlight;
  }
  [[nodiscard]] std::uint32_t copy_threshold() const override { return kTakenAtOnce; }

  Region allocate(std::size_t bytes) override {
    auto& mailbox = *fabric_.stations_[rank_];
    Region region;
    {
      const std::scoped_lock lock(mailbox.mutex);
      mailbox.memory.emplace_back(bytes);
      region = {static_cast<std::uint32_t>(mailbox.memory.size() - 1),
                mailbox.memory.back().bytes().data(), bytes};
    }
    exchange_.all_gather({});  // nobody writes before everybody has allocated
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
    auto& mailbox = *fabric_.stations_[rank_];
    const std::scoped_lock lock(mailbox.mutex);
    std::size_t count = 0;
    while (count < events.size() && !mailbox.mailbox.empty()) {
      events[count++] = mailbox.mailbox.front();
      mailbox.mailbox.pop_front();
    }
    return count;
  }

  void idle(std::chrono::microseconds) noexcept override { std::this_thread::yield(); }

  [[nodiscard]] std::string describe(Channel channel) const override {
    return pair_in_words(rank_, channels_[channel]);
  }
  [[nodiscard]] std::string explain(const Event&) const override { return "the wire was cut"; }

 private:
  static constexpr std::uint32_t kNotificationsInFlight = 256;  // the mailbox itself has no limit
  static constexpr std::uint32_t kTakenAtOnce = 64;             // as with a device; in fact all is

  void deliver(Rank peer, const Write& write, const Event& notice) {
    auto& mailbox = *fabric_.stations_[peer];
    const std::scoped_lock lock(mailbox.mutex);
    if (write.bytes > 0) {
      const auto to = mailbox.memory[write.remote_id].bytes();
      assert(write.remote_offset + write.bytes <= to.size());
      assert(write.local_offset + write.bytes <= write.local.bytes);
      std::memcpy(to.data() + write.remote_offset, write.local.data + write.local_offset,
                  write.bytes);
    }
    mailbox.mailbox.push_back(notice);
  }

  void put(Rank rank, const Event& event) {
    auto& mailbox = *fabric_.stations_[rank];
    const std::scoped_lock lock(mailbox.mutex);
    mailbox.mailbox.push_back(event);
  }

  InProcessFabric& fabric_;
  Exchange& exchange_;
  Rank rank_;
  std::vector<ChannelRequest> channels_;
  std::vector<Channel> back_;
  std::vector<std::uint64_t> written_;
};

InProcessFabric::InProcessFabric(Rank ranks)
    : brought_(ranks), links_(std::size_t{ranks} * ranks, Link::whole) {
  for (Rank rank = 0; rank < ranks; ++rank) stations_.push_back(std::make_unique<Mailbox>());
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
  if (++waiting_ == stations_.size()) {
    result_ = brought_;
    waiting_ = 0;
    ++round_;
    gathered_.notify_all();
  }
  gathered_.wait(lock, [&] { return round_ != round; });
  return result_;
}

InProcessFabric::Link InProcessFabric::link(Rank from, Rank to) {
  const std::scoped_lock lock(mutex_);
  return links_[from * stations_.size() + to];
}

void InProcessFabric::set_link(Rank from, Rank to, Link link) {
  const std::scoped_lock lock(mutex_);
  links_[from * stations_.size() + to] = link;
}

}  // namespace railgauge::transport
