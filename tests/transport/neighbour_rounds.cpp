#include "transport/neighbour_rounds.hpp"

#include <algorithm>

namespace railgauge::transport {
namespace {

constexpr Rank kRounds = 6;

Bytes message(Rank from, Rank to, Rank round) {
  constexpr std::size_t kLong = 100'000;  // more than MPI sends unasked
  const Rank kind = (from + 2 * to + round) % 4;
  if (kind == 0) return {};
  const std::size_t bytes = kind == 1 ? kLong + from : 1 + from + to;
  Bytes made(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    made[i] = static_cast<std::byte>((i * 7 + from * 31 + to * 101 + round * 13) & 0xff);
  }
  return made;
}

/// In every third round the odd ranks have none, and are none.
std::vector<Rank> peers_in(Rank round, const Exchange& exchange) {
  std::vector<Rank> peers = peers_around(exchange.rank(), exchange.ranks());
  if (round % 3 != 2) return peers;
  if (exchange.rank() % 2 == 1) return {};
  std::erase_if(peers, [](Rank peer) { return peer % 2 == 1; });
  return peers;
}

std::string words(Rank from, Rank to, Rank round, const Bytes& came) {
  return "round " + std::to_string(round) + ", from rank " + std::to_string(from) + " to rank " +
         std::to_string(to) + ": " + std::to_string(came.size()) + " bytes, or others than sent";
}

}  // namespace

std::vector<Rank> peers_around(Rank rank, Rank ranks) {
  std::vector<Rank> peers;
  for (Rank distance = 1; distance < ranks; distance *= 2) {
    for (const Rank peer : {(rank + distance) % ranks, (rank + ranks - distance) % ranks}) {
      if (std::ranges::count(peers, peer) == 0) peers.push_back(peer);
    }
  }
  return peers;
}

std::string exchange_in_rounds(Exchange& exchange) {
  std::string wrong;
  for (Rank round = 0; round < kRounds; ++round) {
    const std::vector<Rank> peers = peers_in(round, exchange);
    std::vector<Bytes> own;
    for (const Rank peer : peers) own.push_back(message(exchange.rank(), peer, round));
    const std::vector<Bytes> theirs = exchange.exchange_with(peers, own);
    if (theirs.size() != peers.size()) return "not as many messages as peers";
    for (std::size_t i = 0; i < peers.size(); ++i) {
      const bool right = theirs[i] == message(peers[i], exchange.rank(), round);
      if (!right && wrong.empty()) wrong = words(peers[i], exchange.rank(), round, theirs[i]);
    }
  }
  return wrong;
}

}  // namespace railgauge::transport
