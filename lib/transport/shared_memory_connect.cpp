#include <algorithm>

#include "transport/counterpart.hpp"
#include "transport/shared_memory_lanes.hpp"

namespace railgauge::transport {
namespace {

/// What a rank tells all others about one of its lanes.
struct Offer {
  LaneRequest request;
  LocalAddress address{};
};

std::vector<LaneRequest> requests_of(const std::vector<Offer>& offers) {
  std::vector<LaneRequest> requests;
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

std::vector<Rank> peers_of(std::span<const LaneRequest> lanes) {
  std::vector<Rank> peers;
  for (const LaneRequest& lane : lanes) {
    if (std::ranges::count(peers, lane.peer) == 0) peers.push_back(lane.peer);
  }
  return peers;
}

HostMate& mate_of(Rank rank, std::span<const std::unique_ptr<HostMate>> mates) {
  return **std::ranges::find_if(mates, [&](const auto& mate) { return mate->rank == rank; });
}

}  // namespace

SharedConnections connect_shared_lanes(Exchange& exchange, std::span<const LaneRequest> lanes,
                                       const OwnStation& own) {
  const LocalListener listener = listen_locally();
  std::vector<Offer> offers;
  for (const LaneRequest& lane : lanes) offers.push_back({lane, listener.address});
  const auto everybody = all_gather(exchange, offers);
  std::vector<Lane> backs;
  for (Lane lane = 0; lane < lanes.size(); ++lane) {
    const auto theirs = requests_of(everybody.at(lanes[lane].peer));
    backs.push_back(counterpart(lanes, lane, exchange.rank(), theirs));
  }
  SharedConnections made;
  made.mates = meet_host_mates(exchange, peers_of(lanes), points_of(everybody), listener, own);
  for (Lane lane = 0; lane < lanes.size(); ++lane) {
    HostMate& mate = mate_of(lanes[lane].peer, made.mates);
    made.lanes.push_back({mate, backs[lane], Outbox(mate.station, backs[lane])});
  }
  return made;
}

}  // namespace railgauge::transport
