#include "transport/shared_memory_channels.hpp"

#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "transport/transport.hpp"

namespace railgauge::transport {
namespace {

FileHandle make_bell() {
  FileHandle bell(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (bell.number() >= 0) return bell;
  throw std::system_error(errno, std::generic_category(), "eventfd");
}

/// Accepts the next peer that has connected.
void welcome(const LocalListener& listener, std::span<const std::unique_ptr<LocalPeer>> peers,
             const std::vector<MeetingPoint>& points) {
  LocalCaller caller = accept_locally(listener);
  ReceivedFile mailbox = receive_file(caller.socket);
  ReceivedFile bell = receive_file(caller.socket);
  const auto is_caller = [&](const auto& peer) { return peer->rank == mailbox.word; };
  const auto found = std::ranges::find_if(peers, is_caller);
  if (found == peers.end()) throw std::runtime_error("a rank without a channel has connected");
  LocalPeer& peer = **found;
  peer.process = caller.process;
  peer.from = std::move(caller.socket);
  peer.bell = std::move(bell.file);
  peer.memory = SharedMapping::of(mailbox.file);
  peer.mailbox = mailbox_in(peer.memory->bytes(), points[peer.rank].channels);
}

/// What a rank tells all others about one of its channels.
struct Offer {
  ChannelRequest request;
  LocalAddress address{};
};

std::vector<ChannelRequest> requests_of(const std::vector<Offer>& offers) {
  std::vector<ChannelRequest> requests;
  requests.reserve(offers.size());
  for (const Offer& offer : offers) requests.push_back(offer.request);
  return requests;
}

std::vector<MeetingPoint> points_of(const std::vector<std::vector<Offer>>& everybody) {
  std::vector<MeetingPoint> points;
  points.reserve(everybody.size());
  for (const auto& offers : everybody) {
    points.push_back({offers.empty() ? LocalAddress{} : offers.front().address, offers.size()});
  }
  return points;
}

std::vector<Rank> peers_of(std::span<const ChannelRequest> channels) {
  std::vector<Rank> peers;
  for (const ChannelRequest& channel : channels) {
    if (std::ranges::count(peers, channel.peer) == 0) peers.push_back(channel.peer);
  }
  return peers;
}

LocalPeer& peer_of(Rank rank, std::span<const std::unique_ptr<LocalPeer>> peers) {
  return **std::ranges::find_if(peers, [&](const auto& peer) { return peer->rank == rank; });
}

}  // namespace

OwnMailbox::OwnMailbox(std::size_t channels)
    : file(make_shared_memory(mailbox_bytes(channels))),
      bell(make_bell()),
      memory(SharedMapping::of(file)),
      mailbox(mailbox_in(memory->bytes(), channels)) {}

/// Makes a system call only if the owner sleeps, and then only one of the peers that see it does.
void LocalPeer::wake() const noexcept {
  auto& asleep = mailbox.head->asleep;
  if (asleep.load(std::memory_order_seq_cst) == 0 || asleep.exchange(0) == 0) return;
  eventfd_write(bell.number(), 1);
}

bool LocalPeer::took_leave() const noexcept {
  return mailbox.head->left.load(std::memory_order_acquire) != 0;
}

std::vector<std::unique_ptr<LocalPeer>> meet_local_peers(Exchange& exchange,
                                                         const std::vector<Rank>& ranks,
                                                         const std::vector<MeetingPoint>& points,
                                                         const LocalListener& listener,
                                                         const OwnMailbox& own) {
  std::vector<std::unique_ptr<LocalPeer>> peers;
  for (const Rank rank : ranks) {
    LocalPeer& peer = *peers.emplace_back(std::make_unique<LocalPeer>());
    peer.rank = rank;
    peer.to = connect_locally(points.at(rank).address, rank);
    send_file(peer.to, own.file, exchange.rank());
    send_file(peer.to, own.bell, exchange.rank());
  }
  exchange.all_gather({});  // all have connected
  for (std::size_t i = 0; i < peers.size(); ++i) welcome(listener, peers, points);
  return peers;
}

SharedConnections connect_shared_channels(Exchange& exchange,
                                          std::span<const ChannelRequest> channels,
                                          const OwnMailbox& own) {
  const LocalListener listener = listen_locally();
  std::vector<Offer> offers;
  for (const ChannelRequest& channel : channels) offers.push_back({channel, listener.address});
  const auto everybody = all_gather(exchange, offers);
  std::vector<Channel> backs;
  for (Channel channel = 0; channel < channels.size(); ++channel) {
    const auto theirs = requests_of(everybody.at(channels[channel].peer));
    backs.push_back(counterpart(channels, channel, exchange.rank(), theirs));
  }
  SharedConnections made;
  made.peers = meet_local_peers(exchange, peers_of(channels), points_of(everybody), listener, own);
  for (Channel channel = 0; channel < channels.size(); ++channel) {
    LocalPeer& peer = peer_of(channels[channel].peer, made.peers);
    made.channels.push_back({peer, backs[channel], Outbox(peer.mailbox, backs[channel])});
  }
  return made;
}

}  // namespace railgauge::transport
