#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "transport/exchange.hpp"
#include "transport/transport.hpp"

namespace railgauge::transport {

// A rank's neighbours are the peers of its channels. Nobody else has to know where its queue pairs
// and its memory are, so what a rank sends and keeps to connect grows with its channels, and not
// with the number of ranks.

struct Neighbour {
  Rank rank = 0;
  std::vector<Channel> channels;  // of ours to it, in our order
};
/// Each once, in the order of the first channel to it.
[[nodiscard]] std::vector<Neighbour> neighbours_of(std::span<const ChannelRequest> channels);
[[nodiscard]] std::vector<Rank> ranks_of(const std::vector<Neighbour>& neighbours);

/// Which of the peer's channels to us pairs up with each of ours to it: the k-th on a rail with the
/// k-th on that rail. `ours` and `theirs` are the rails of these channels, in order. Throws
/// std::logic_error on both ranks if they do not have as many on a rail.
[[nodiscard]] std::vector<std::size_t> pair_up(Rank us, const std::vector<unsigned>& ours,
                                               Rank peer, const std::vector<unsigned>& theirs);

/// What a rank tells the peer about one of the channels between them.
template <class T>
struct Offer {
  Channel channel = 0;  // its own number for it
  unsigned rail = 0;
  T what{};
};

template <class T>
std::vector<unsigned> rails_of(const std::vector<Offer<T>>& offers) {
  std::vector<unsigned> rails;
  rails.reserve(offers.size());
  for (const Offer<T>& offer : offers) rails.push_back(offer.rail);
  return rails;
}

/// Collective among neighbours: tells the peer of each channel own[channel]. What the peers have
/// told, by channel of ours. Throws what pair_up() and the exchange throw.
template <class T>
std::vector<Offer<T>> exchange_offers(Exchange& exchange, std::span<const ChannelRequest> channels,
                                      const std::vector<T>& own) {
  const std::vector<Neighbour> neighbours = neighbours_of(channels);
  std::vector<std::vector<Offer<T>>> ours(neighbours.size());
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    for (const Channel channel : neighbours[i].channels) {
      ours[i].push_back({channel, channels[channel].rail, own[channel]});
    }
  }
  const auto theirs = exchange_with(exchange, ranks_of(neighbours), ours);
  std::vector<Offer<T>> told(channels.size());
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    const auto pairs =
        pair_up(exchange.rank(), rails_of(ours[i]), neighbours[i].rank, rails_of(theirs[i]));
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      told[neighbours[i].channels[k]] = theirs[i][pairs[k]];
    }
  }
  return told;
}

/// Collective among neighbours: the peer's number for each of our channels.
[[nodiscard]] std::vector<Channel> peer_channels(Exchange& exchange,
                                                 std::span<const ChannelRequest> channels);

/// Collective among neighbours: returns when all peers of these channels have called it.
void meet_neighbours(Exchange& exchange, std::span<const ChannelRequest> channels);

}  // namespace railgauge::transport
