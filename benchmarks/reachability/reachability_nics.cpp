#include "benchmarks/reachability/reachability_nics.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "topology/ip_address.hpp"
#include "topology/rail_check.hpp"

namespace railgauge::benchmarks {
namespace {

using results::Failure;
using transport::short_text;
using transport::ShortText;

/// A NIC as its rank describes it, exchanged as bytes.
struct Card {
  ShortText host{};
  ShortText device{};
  ShortText netdev{};
  ShortText address{};
  int port = 1;
  int prefix_length = 0;
  double link_gigabits_per_second = 0;
  bool software = false;
};

using Cards = std::vector<std::vector<Card>>;  // by rank

int prefix_length(const std::string& address) {
  const auto parsed = topology::parse_ip_address(address);
  const auto length = parsed ? topology::prefix_length_of(*parsed) : std::nullopt;
  return length.value_or(parsed ? topology::address_bits(*parsed) : 0);
}

std::vector<Card> cards_of(const std::string& host, const std::vector<verbs::Port>& ports) {
  std::vector<Card> cards;
  cards.reserve(ports.size());
  for (const verbs::Port& port : ports) {
    cards.push_back({short_text(host), short_text(port.device), short_text(port.netdev()),
                     short_text(port.address()), port.number, prefix_length(port.address()),
                     port.gbps, port.software});
  }
  return cards;
}

void check_one_rank_a_host(const Cards& everybody) {
  std::set<std::string> seen;
  for (const auto& cards : everybody) {
    for (const Card& card : cards) {
      const std::string nic = std::string(card.host.data()) + " " + card.device.data() + " port " +
                              std::to_string(card.port);
      if (seen.insert(nic + " " + card.address.data()).second) continue;
      throw job::RunFailure(
          Failure::Kind::usage,
          "two ranks drive " + nic +
              ": start one rank a host, which drives all its NICs (launchers/mpirun "
              "--map-by ppr:1:node)");
    }
  }
}

/// The hosts as the first rank of each sees itself.
std::vector<std::string> misfits_of(const Cards& everybody) {
  std::vector<topology::Host> hosts;
  std::set<std::string> seen;
  for (const auto& cards : everybody) {
    topology::Host host{cards.front().host.data(), {}};
    if (!seen.insert(host.name).second) continue;
    for (const Card& card : cards) {
      host.rails.push_back({card.device.data(), card.port, card.address.data(), card.netdev.data(),
                            card.prefix_length});
    }
    hosts.push_back(std::move(host));
  }
  return topology::check_rails(hosts);
}

/// Ranks that share a host's name are told apart by their numbers.
std::vector<std::string> names_of(const Cards& everybody) {
  std::map<std::string, int> ranks_of;
  for (const auto& cards : everybody) ++ranks_of[cards.front().host.data()];
  std::vector<std::string> names;
  for (const auto& cards : everybody) {
    const std::string host = cards.front().host.data();
    const bool alone = ranks_of[host] == 1;
    names.push_back(alone ? host : host + " rank " + std::to_string(names.size()));
  }
  return names;
}

}  // namespace

std::size_t AllNics::place(int rank, int rail) const {
  return static_cast<std::size_t>(std::accumulate(rails.begin(), rails.begin() + rank, rail));
}

AllNics gather_nics(job::Communicator& communicator, const std::vector<verbs::Port>& own) {
  const Cards everybody = transport::all_gather(communicator, cards_of(communicator.host(), own));
  if (everybody.size() < 2) {
    throw job::RunFailure(
        Failure::Kind::usage,
        "one rank has nobody to reach. Start one on every host: launchers/mpirun -np "
        "HOSTS --map-by node reachability_perf");
  }
  check_one_rank_a_host(everybody);
  AllNics all;
  all.misfits = misfits_of(everybody);
  const std::vector<std::string> names = names_of(everybody);
  for (std::size_t rank = 0; rank < everybody.size(); ++rank) {
    int rail = 0;
    for (const Card& card : everybody[rank]) {
      all.nics.push_back({names[rank], rail++, card.device.data(), card.port, card.netdev.data(),
                          card.address.data(), card.link_gigabits_per_second, card.software});
    }
    all.rails.push_back(rail);
  }
  return all;
}

}  // namespace railgauge::benchmarks
