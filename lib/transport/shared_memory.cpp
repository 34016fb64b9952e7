#include "transport/shared_memory.hpp"

#include <sys/epoll.h>
#include <limits>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <system_error>

#include "transport/neighbours.hpp"
#include "transport/shared_memory_channels.hpp"

namespace railgauge::transport {
namespace {

// One write in this many is reported even if the caller did not ask.
constexpr std::uint32_t kUnreported = 32;

class SharedMemoryTransport final : public Pollable {
 public:
  SharedMemoryTransport(Exchange& exchange, std::span<const ChannelRequest> channels)
      : exchange_(exchange),
        requests_(channels.begin(), channels.end()),
        own_(channels.size()),
        inbox_(own_.mailbox, channels.size()),
        watch_(epoll_create1(EPOLL_CLOEXEC)) {
    to_report_.reserve(channels.size());
    to_fail_.reserve(channels.size());
    if (watch_.number() < 0) {
      throw std::system_error(errno, std::generic_category(), "epoll_create1");
    }
    SharedConnections made = connect_shared_channels(exchange, requests_, own_);
    peers_ = std::move(made.peers);
    channels_ = std::move(made.channels);
    // Edge-triggered, so that a ring is consumed by waking up, without reading the bell.
    watch(own_.bell, EPOLLIN | EPOLLET, nullptr);
    for (auto& peer : peers_) watch(peer->from, 0, peer.get());
  }

  SharedMemoryTransport(const SharedMemoryTransport&) = delete;
  SharedMemoryTransport& operator=(const SharedMemoryTransport&) = delete;
  ~SharedMemoryTransport() override {
    own_.mailbox.head->left.store(1, std::memory_order_release);  // before the connections end
  }

  [[nodiscard]] Rank rank() const override { return exchange_.rank(); }
  [[nodiscard]] std::span<const ChannelRequest> channels() const override { return requests_; }
  [[nodiscard]] Channel peer_channel(Channel channel) const override {
    return channels_[channel].back;
  }
  [[nodiscard]] std::uint32_t notifications_in_flight() const override {
    return kNotificationsPerRing;
  }
  [[nodiscard]] std::uint32_t copy_threshold() const override {
    return std::numeric_limits<std::uint32_t>::max();  // all are copied
  }

  Region allocate(std::size_t bytes) override {
    const FileHandle file = make_shared_memory(bytes);
    const auto& mapping = memory_.emplace_back(SharedMapping::of(file));
    inbox_.add_region(mapping->bytes());
    for (auto& peer : peers_) send_file(peer->to, file, number_of_last_region());
    meet_neighbours(exchange_, requests_);  // all peers have sent, so nothing below waits
    for (auto& peer : peers_) peer->regions.push_back(take_region(*peer));
    return {number_of_last_region(), mapping->bytes().data(), bytes};
  }

  [[nodiscard]] bool can_post(Channel channel) const noexcept override {
    return channels_[channel].outbox.can_post();
  }

  void write(Channel number, const Write& write) noexcept override {
    SharedChannel& channel = channels_[number];
    assert(channel.outbox.can_post());
    const std::span data(write.local.data + write.local_offset, write.bytes);
    assert(write.local_offset + write.bytes <= write.local.bytes);
    if (write.bytes > 0 && write.bytes <= Letter::kMostBytes) {
      channel.outbox.push(write.notification, data, write.remote_id, write.remote_offset);
    } else {
      copy(data, channel.peer, write);
      channel.outbox.push(write.notification);
    }
    channel.peer.wake();
    ++channel.written;
    if (write.report || ++channel.unreported >= kUnreported) report(channel, number);
  }

  void flush() noexcept override {}  // written at once

  [[nodiscard]] std::size_t poll(std::span<Event> events) noexcept override {
    std::size_t count = take_reports(events);
    count += inbox_.take(events.subspan(count));
    // Last: whatever a peer wrote before its end comes first.
    for (; count < events.size() && !to_fail_.empty(); to_fail_.pop_back()) {
      events[count++] = {Event::Kind::failed, to_fail_.back(), 0};
    }
    return count;
  }

  void idle(std::chrono::microseconds limit) noexcept override {
    if (arm()) look_up(limit);
    own_.mailbox.head->asleep.store(0, std::memory_order_relaxed);
  }

  [[nodiscard]] std::vector<pollfd> sleepers() const override {
    return {{watch_.number(), POLLIN, 0}};
  }

  /// No wake-up is lost: a writer pushes and then checks whether we sleep; we announce that we
  /// sleep and then check for pushes. All four are seq_cst, so at least one side sees the other.
  bool arm() noexcept override {
    own_.mailbox.head->asleep.store(1, std::memory_order_seq_cst);
    return to_report_.empty() && to_fail_.empty() && !inbox_.anything();
  }

  void disarm() noexcept override {
    own_.mailbox.head->asleep.store(0, std::memory_order_relaxed);
    look_up(std::chrono::microseconds(0));
  }

  [[nodiscard]] std::string describe(Channel number) const override {
    const SharedChannel& channel = channels_[number];
    std::ostringstream words;
    words << "rank " << channel.peer.rank << ": shared memory of process " << channel.peer.process
          << ", which "
          << (channel.peer.took_leave()        ? "has left"
              : channel.peer.from.number() < 0 ? "is dead"
                                               : "is alive")
          << ", " << channel.written << " writes, " << channel.outbox.waiting() << " not yet seen";
    return words.str();
  }

  [[nodiscard]] std::string explain(const Event& failed) const override {
    const LocalPeer& peer = channels_[failed.channel].peer;
    return "process " + std::to_string(peer.process) + " of rank " + std::to_string(peer.rank) +
           " on this host ended early: it was killed or crashed";
  }

 private:
  void watch(const FileHandle& file, std::uint32_t events, LocalPeer* peer) {
    epoll_event wanted{events, {.ptr = peer}};
    if (epoll_ctl(watch_.number(), EPOLL_CTL_ADD, file.number(), &wanted) == 0) return;
    throw std::system_error(errno, std::generic_category(), "epoll_ctl");
  }

  [[nodiscard]] std::uint32_t number_of_last_region() const {
    return static_cast<std::uint32_t>(memory_.size() - 1);
  }

  [[nodiscard]] std::shared_ptr<SharedMapping> take_region(const LocalPeer& peer) const {
    const ReceivedFile received = receive_file(peer.from);
    if (received.word == number_of_last_region()) return SharedMapping::of(received.file);
    throw std::logic_error("ranks allocate in different orders");
  }

  static void copy(std::span<const std::byte> data, const LocalPeer& peer, const Write& write) {
    if (data.empty()) return;
    const auto to = peer.regions[write.remote_id]->bytes();
    assert(write.remote_offset + write.bytes <= to.size());
    std::memcpy(to.data() + write.remote_offset, data.data(), data.size());
  }

  void report(SharedChannel& channel, Channel number) noexcept {
    channel.unreported = 0;
    if (!channel.to_report) to_report_.push_back(number);  // never reallocates: reserved
    channel.to_report = true;
  }

  std::size_t take_reports(std::span<Event> events) noexcept {
    std::size_t count = 0;
    for (; count < events.size() && !to_report_.empty(); to_report_.pop_back()) {
      SharedChannel& channel = channels_[to_report_.back()];
      channel.to_report = false;
      events[count++] = {Event::Kind::completed, to_report_.back(), channel.written};
    }
    return count;
  }

  /// Waits for the bell or the end of a peer; poll() finds what the bell announced.
  void look_up(std::chrono::microseconds limit) noexcept {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit);
    const timespec time{seconds.count(), (limit - seconds).count() * 1000};
    std::array<epoll_event, 16> events;
    const int count = epoll_pwait2(watch_.number(), events.data(), events.size(), &time, nullptr);
    for (int i = 0; i < count; ++i) {
      auto* peer = static_cast<LocalPeer*>(events[static_cast<std::size_t>(i)].data.ptr);
      if (peer != nullptr) end(*peer);
    }
  }

  void end(LocalPeer& peer) noexcept {
    epoll_ctl(watch_.number(), EPOLL_CTL_DEL, peer.from.number(), nullptr);
    peer.from = FileHandle(-1);
    if (peer.took_leave()) return;
    for (Channel channel = 0; channel < channels_.size(); ++channel) {
      if (&channels_[channel].peer == &peer)
        to_fail_.push_back(channel);  // never reallocates: reserved
    }
  }

  Exchange& exchange_;
  std::vector<ChannelRequest> requests_;
  OwnMailbox own_;
  Inbox inbox_;
  FileHandle watch_;                                    // an epoll: our bell, and our peers' ends
  std::vector<std::shared_ptr<SharedMapping>> memory_;  // by region number
  std::vector<std::unique_ptr<LocalPeer>> peers_;
  std::vector<SharedChannel> channels_;
  std::vector<Channel> to_report_;
  std::vector<Channel> to_fail_;
};

}  // namespace

std::unique_ptr<Pollable> connect_shared_memory(Exchange& exchange,
                                                std::span<const ChannelRequest> channels) {
  return std::make_unique<SharedMemoryTransport>(exchange, channels);
}

}  // namespace railgauge::transport
