#include "transport/shared_memory_channels.hpp"

#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "transport/neighbours.hpp"

namespace railgauge::transport {
namespace {

FileHandle make_bell() {
  FileHandle bell(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (bell.number() >= 0) return bell;
  throw std::system_error(errno, std::generic_category(), "eventfd");
}

using MeetingPoints = std::map<Rank, LocalAddress>;  // of peers: where they listen

/// Accepts the next peer that has connected.
void welcome(const LocalListener& listener, std::span<const std::unique_ptr<LocalPeer>> peers) {
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
  peer.mailbox = mailbox_in(peer.memory->bytes());
}

LocalPeer& peer_of(Rank rank, std::span<const std::unique_ptr<LocalPeer>> peers) {
  return **std::ranges::find_if(peers, [&](const auto& peer) { return peer->rank == rank; });
}

std::vector<std::unique_ptr<LocalPeer>> connect_to(const MeetingPoints& points, Rank us,
                                                   const OwnMailbox& own) {
  std::vector<std::unique_ptr<LocalPeer>> peers;
  for (const auto& [rank, point] : points) {
    LocalPeer& peer = *peers.emplace_back(std::make_unique<LocalPeer>());
    peer.rank = rank;
    peer.to = connect_locally(point, rank);
    send_file(peer.to, own.file, us);
    send_file(peer.to, own.bell, us);
  }
  return peers;
}

}  // namespace

OwnMailbox::OwnMailbox(std::size_t channels)
    : file(make_shared_memory(mailbox_bytes(channels))),
      bell(make_bell()),
      memory(SharedMapping::of(file)),
      mailbox(mailbox_in(memory->bytes())) {}

/// Makes a system call only if the owner sleeps, and then only one of the peers that see it does.
void LocalPeer::wake() const noexcept {
  auto& asleep = mailbox.head->asleep;
  if (asleep.load(std::memory_order_seq_cst) == 0 || asleep.exchange(0) == 0) return;
  eventfd_write(bell.number(), 1);
}

bool LocalPeer::took_leave() const noexcept {
  return mailbox.head->left.load(std::memory_order_acquire) != 0;
}

SharedConnections connect_shared_channels(Exchange& exchange,
                                          std::span<const ChannelRequest> channels,
                                          const OwnMailbox& own) {
  const LocalListener listener = listen_locally();
  const std::vector<LocalAddress> here(channels.size(), listener.address);
  const auto offers = exchange_offers(exchange, channels, here);
  MeetingPoints points;
  for (Channel channel = 0; channel < channels.size(); ++channel) {
    points.emplace(channels[channel].peer, offers[channel].what);
  }
  SharedConnections made;
  made.peers = connect_to(points, exchange.rank(), own);
  meet_neighbours(exchange, channels);  // all peers have connected, too, so nothing below waits
  for (std::size_t i = 0; i < made.peers.size(); ++i) welcome(listener, made.peers);
  for (Channel channel = 0; channel < channels.size(); ++channel) {
    LocalPeer& peer = peer_of(channels[channel].peer, made.peers);
    const Channel back = offers[channel].channel;
    made.channels.push_back({peer, back, Outbox(peer.mailbox, back)});
  }
  return made;
}

}  // namespace railgauge::transport
