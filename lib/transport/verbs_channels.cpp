#include <algorithm>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "transport/neighbours.hpp"
#include "transport/verbs_channels.hpp"
#include "verbs/error.hpp"

namespace railgauge::transport {
namespace {

std::string pair_in_words(const VerbsRail& rail, const ChannelEnd& peer,
                          const ChannelRequest& channel) {
  return "connecting to rank " + std::to_string(channel.peer) + " on " + rail.name() + " (" +
         rail.port.device + " " + rail.port.address() + " to " + peer.host.data() + " " +
         peer.device.data() + " " + verbs::to_text(peer.address.gid) + ")";
}

std::vector<verbs::PendingQueuePair> make_pairs(std::span<const std::unique_ptr<VerbsRail>> rails,
                                                std::span<const ChannelRequest> channels,
                                                const VerbsSettings& settings) {
  verbs::QueuePairSettings wanted = settings.queue_pairs;
  wanted.send_depth = kSendDepth;
  wanted.receive_depth = kReceiveDepth;
  std::vector<verbs::PendingQueuePair> pairs;
  for (Channel channel = 0; channel < channels.size(); ++channel) {
    VerbsRail& rail = *rails[channels[channel].rail];
    if (settings.flow_label) {
      const auto number =
          std::count(channels.begin(), channels.begin() + channel, channels[channel]);
      wanted.flow_label = settings.flow_label(channels[channel], static_cast<unsigned>(number));
    }
    auto& pair =
        pairs.emplace_back(*rail.domain, rail.completions, rail.completions, rail.port, wanted);
    const int error = pair.post_receives(kReceiveDepth, receive_id(channel));
    if (error != 0) {
      throw std::system_error(error, std::generic_category(),
                              "ibv_post_recv on " + rail.port.device);
    }
  }
  return pairs;
}

std::vector<ChannelEnd> ends_of(std::span<const std::unique_ptr<VerbsRail>> rails,
                                std::span<const ChannelRequest> channels,
                                std::span<const verbs::PendingQueuePair> pairs) {
  std::vector<ChannelEnd> ends;
  for (Channel channel = 0; channel < channels.size(); ++channel) {
    const VerbsRail& rail = *rails[channels[channel].rail];
    ends.push_back({.address = pairs[channel].address(),
                    .host = short_text(rail.end.host),
                    .device = short_text(rail.end.device),
                    .port = rail.port.number,
                    .rail = rail.end.rail.value_or(0),
                    .plane = rail.end.plane.value_or(-1),
                    .manager_port = rail.manager_port});
  }
  return ends;
}

finding::Finding not_connected(finding::Location where) {
  finding::Finding finding =
      finding::found("transport", finding::Cause::unreachable, std::move(where));
  finding.detail = "cannot be connected";
  return finding;
}

void connect_by_exchange(std::vector<VerbsChannel>& channels,
                         std::span<const std::unique_ptr<VerbsRail>> rails,
                         std::vector<verbs::PendingQueuePair>& pairs) {
  for (Channel channel = 0; channel < channels.size(); ++channel) {
    VerbsChannel& made = channels[channel];
    try {
      made.pair =
          std::make_unique<verbs::QueuePair>(std::move(pairs[channel]).connect(made.peer.address));
    } catch (const std::system_error& error) {
      const VerbsRail& rail = *rails[made.request.rail];
      throw Unconnected(error, pair_in_words(rail, made.peer, made.request) + ": " + error.what(),
                        not_connected(made.path_from(rail.end)));
    }
  }
}

void listen_on(std::span<const std::unique_ptr<VerbsRail>> rails) {
  for (const auto& rail : rails) {
    rail->manager.emplace(rail->port.address());
    rail->manager_port = rail->manager->listen();
  }
}

/// The lower of two ranks calls. Both name the channel by the lower one's number.
void start_or_expect(verbs::ConnectionManager& manager, Rank us, Channel channel,
                     const VerbsChannel& made, verbs::PendingQueuePair pair) {
  const Rank peer = made.request.peer;
  const bool calls = us < peer;
  const std::string cookie = "rank " + std::to_string(std::min(us, peer)) + " > " +
                             std::to_string(std::max(us, peer)) + ", channel " +
                             std::to_string(calls ? channel : made.back);
  if (calls) {
    manager.start(std::move(pair), verbs::to_text(made.peer.address.gid), made.peer.manager_port,
                  cookie);
  } else {
    manager.expect(std::move(pair), cookie);
  }
}

/// Rail by rail, in the same order on all ranks, so that no cycle of ranks waits for each other. A
/// peer may come later than this rank: it waits until all of its own peers have offered, which they
/// have before they wait for anything.
void connect_by_manager(std::vector<VerbsChannel>& channels,
                        std::span<const std::unique_ptr<VerbsRail>> rails, Rank us,
                        std::vector<verbs::PendingQueuePair>& pairs,
                        const VerbsSettings& settings) {
  const auto deadline = std::chrono::steady_clock::now() + settings.connect_limit;
  for (unsigned number = 0; number < rails.size(); ++number) {
    std::vector<Channel> here;
    for (Channel channel = 0; channel < channels.size(); ++channel) {
      if (channels[channel].request.rail != number) continue;
      start_or_expect(*rails[number]->manager, us, channel, channels[channel],
                      std::move(pairs[channel]));
      here.push_back(channel);
    }
    try {
      auto made = rails[number]->manager->finish(deadline, settings.look_up);
      for (std::size_t i = 0; i < here.size(); ++i) {
        channels[here[i]].pair = std::make_unique<verbs::QueuePair>(std::move(made[i]));
      }
    } catch (const std::system_error& error) {
      throw Unconnected(error, error.what(),
                        not_connected({.scope = finding::Scope::port, .at = rails[number]->end}));
    }
  }
}

}  // namespace

VerbsRail::VerbsRail(const verbs::Port& on, finding::Endpoint as, int channels)
    : port(on),
      end(std::move(as)),
      context(verbs::open_device(on.device)),
      domain(verbs::allocate_domain(*context)),
      completions(*context, std::max(1, channels) * (kSendDepth + kReceiveDepth)) {}

std::string VerbsRail::take_events() {
  std::string words;
  for (const verbs::AsyncEvent& event : verbs::take_async_events(*context)) {
    went_down = went_down || event.lost_port == port.number;
    words += "; " + event.words;
  }
  return words;
}

finding::Location VerbsChannel::path_from(const finding::Endpoint& own) const {
  return {
      .scope = finding::Scope::path,
      .at = own,
      .peer = finding::Endpoint{.host = peer.host.data(),
                                .device = peer.device.data(),
                                .port = peer.port,
                                .rail = peer.rail,
                                .plane = peer.plane < 0 ? std::nullopt : std::optional(peer.plane),
                                .address = verbs::to_text(peer.address.gid),
                                .ranks = {static_cast<int>(request.peer)}}};
}

std::optional<PacketSizes::Limit> VerbsChannel::size_limit() const {
  if (!verbs::is_silence(failure.status)) return std::nullopt;
  return sizes.limit(static_cast<std::uint32_t>(failure.id));
}

std::vector<VerbsChannel> connect_channels(Exchange& exchange,
                                           std::span<const std::unique_ptr<VerbsRail>> rails,
                                           std::span<const ChannelRequest> requests,
                                           const VerbsSettings& settings) {
  auto pairs = make_pairs(rails, requests, settings);
  if (settings.connect == Connect::rdmacm) listen_on(rails);
  const auto offers = exchange_offers(exchange, requests, ends_of(rails, requests, pairs));
  std::vector<VerbsChannel> channels(requests.size());
  for (Channel channel = 0; channel < channels.size(); ++channel) {
    channels[channel].request = requests[channel];
    channels[channel].back = offers[channel].channel;
    channels[channel].peer = offers[channel].what;
    const auto own_mtu = static_cast<std::uint32_t>(rails[requests[channel].rail]->port.mtu_bytes);
    channels[channel].mtu_bytes = std::min(own_mtu, channels[channel].peer.address.mtu_bytes);
  }
  if (settings.connect == Connect::rdmacm) {
    connect_by_manager(channels, rails, exchange.rank(), pairs, settings);
  } else {
    connect_by_exchange(channels, rails, pairs);
  }
  for (const VerbsChannel& made : channels) settings.source_port(made.pair->source_port());
  meet_neighbours(exchange, requests);  // no peer writes before this rank is connected
  return channels;
}

}  // namespace railgauge::transport
