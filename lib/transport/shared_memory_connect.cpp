#include <algorithm>

#include "transport/counterpart.hpp"
#include "transport/shared_memory_channels.hpp"

namespace railgauge::transport {
namespace {

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

LocalPeer& mate_of(Rank rank, std::span<const std::unique_ptr<LocalPeer>> mates) {
  return **std::ranges::find_if(mates, [&](const auto& mate) { return mate->rank == rank; });
}

}  // namespace

SharedConnections connect_shared_channels(Exchange& exchange,
                                          std::span<const ChannelRequest> channels,
                                          const OwnStation& own) {
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
  made.mates = meet_host_mates(exchange, peers_of(channels), points_of(everybody), listener, own);
  for (Channel channel = 0; channel < channels.size(); ++channel) {
    LocalPeer& mate = mate_of(channels[channel].peer, made.mates);
    made.channels.push_back({mate, backs[channel], Outbox(mate.mailbox, backs[channel])});
  }
  return made;
}

}  // namespace railgauge::transport
