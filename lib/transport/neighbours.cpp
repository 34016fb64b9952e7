#include "transport/neighbours.hpp"

#include <map>
#include <stdexcept>
#include <string>

namespace railgauge::transport {
namespace {

using Places = std::map<unsigned, std::vector<std::size_t>>;  // in a list of rails, by rail

Places places_by_rail(const std::vector<unsigned>& rails) {
  Places places;
  for (std::size_t i = 0; i < rails.size(); ++i) places[rails[i]].push_back(i);
  return places;
}

void check_as_many(Rank us, Places& ours, Rank peer, Places& theirs) {
  for (const auto& [rail, places] : ours) theirs[rail];
  for (const auto& [rail, places] : theirs) {
    if (places.size() == ours[rail].size()) continue;
    throw std::logic_error("ranks " + std::to_string(us) + " and " + std::to_string(peer) +
                           " do not agree how many channels they have on rail " +
                           std::to_string(rail) + ": " + std::to_string(ours[rail].size()) +
                           " and " + std::to_string(places.size()));
  }
}

}  // namespace

std::vector<Neighbour> neighbours_of(std::span<const ChannelRequest> channels) {
  std::vector<Neighbour> neighbours;
  std::map<Rank, std::size_t> places;
  for (Channel channel = 0; channel < channels.size(); ++channel) {
    const Rank peer = channels[channel].peer;
    const auto [place, is_new] = places.try_emplace(peer, neighbours.size());
    if (is_new) neighbours.push_back({peer, {}});
    neighbours[place->second].channels.push_back(channel);
  }
  return neighbours;
}

std::vector<Rank> ranks_of(const std::vector<Neighbour>& neighbours) {
  std::vector<Rank> ranks;
  ranks.reserve(neighbours.size());
  for (const Neighbour& neighbour : neighbours) ranks.push_back(neighbour.rank);
  return ranks;
}

std::vector<std::size_t> pair_up(Rank us, const std::vector<unsigned>& ours, Rank peer,
                                 const std::vector<unsigned>& theirs) {
  Places own_places = places_by_rail(ours);
  Places their_places = places_by_rail(theirs);
  check_as_many(us, own_places, peer, their_places);
  std::vector<std::size_t> pairs(ours.size());
  for (const auto& [rail, places] : own_places) {
    for (std::size_t k = 0; k < places.size(); ++k) pairs[places[k]] = their_places[rail][k];
  }
  return pairs;
}

std::vector<Channel> peer_channels(Exchange& exchange, std::span<const ChannelRequest> channels) {
  struct Nothing {};
  std::vector<Channel> numbers;
  for (const auto& offer :
       exchange_offers(exchange, channels, std::vector<Nothing>(channels.size()))) {
    numbers.push_back(offer.channel);
  }
  return numbers;
}

void meet_neighbours(Exchange& exchange, std::span<const ChannelRequest> channels) {
  const std::vector<Rank> peers = ranks_of(neighbours_of(channels));
  exchange.exchange_with(peers, std::vector<Bytes>(peers.size()));
}

}  // namespace railgauge::transport
