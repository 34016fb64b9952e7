#include <algorithm>
#include <stdexcept>
#include <system_error>

#include "transport/counterpart.hpp"
#include "transport/verbs_lanes.hpp"

namespace railgauge::transport {
namespace {

std::string pair_in_words(const VerbsRail& rail, const LaneOffer& peer, const LaneRequest& lane) {
  return "connecting to rank " + std::to_string(lane.peer) + " on rail " +
         std::to_string(rail.number) + " (" + rail.port.device + " " + rail.port.address() +
         " to " + peer.host.data() + " " + peer.device.data() + " " +
         verbs::to_text(peer.address.gid) + ")";
}

std::vector<verbs::PendingQueuePair> make_pairs(std::span<const std::unique_ptr<VerbsRail>> rails,
                                                std::span<const LaneRequest> lanes,
                                                const VerbsSettings& settings) {
  verbs::QueuePairSettings wanted = settings.queue_pairs;
  wanted.send_depth = kSendDepth;
  wanted.receive_depth = kReceiveDepth;
  std::vector<verbs::PendingQueuePair> pairs;
  for (Lane lane = 0; lane < lanes.size(); ++lane) {
    VerbsRail& rail = *rails[lanes[lane].rail];
    auto& pair =
        pairs.emplace_back(*rail.domain, rail.completions, rail.completions, rail.port, wanted);
    const int error = pair.post_receives(kReceiveDepth, receive_id(lane));
    if (error != 0) {
      throw std::system_error(error, std::generic_category(),
                              "ibv_post_recv on " + rail.port.device);
    }
  }
  return pairs;
}

std::vector<LaneOffer> offers_of(std::span<const std::unique_ptr<VerbsRail>> rails,
                                 std::span<const LaneRequest> lanes,
                                 std::span<const verbs::PendingQueuePair> pairs,
                                 const std::string& host) {
  std::vector<LaneOffer> offers;
  for (Lane lane = 0; lane < lanes.size(); ++lane) {
    offers.push_back({lanes[lane], pairs[lane].address(), short_text(host),
                      short_text(rails[lanes[lane].rail]->port.device),
                      rails[lanes[lane].rail]->manager_port});
  }
  return offers;
}

std::vector<LaneRequest> requests_of(const std::vector<LaneOffer>& offers) {
  std::vector<LaneRequest> requests;
  requests.reserve(offers.size());
  for (const LaneOffer& offer : offers) requests.push_back(offer.request);
  return requests;
}

void connect_by_exchange(std::vector<VerbsLane>& lanes,
                         std::span<const std::unique_ptr<VerbsRail>> rails,
                         std::vector<verbs::PendingQueuePair>& pairs) {
  for (Lane lane = 0; lane < lanes.size(); ++lane) {
    VerbsLane& made = lanes[lane];
    try {
      made.pair =
          std::make_unique<verbs::QueuePair>(std::move(pairs[lane]).connect(made.peer.address));
    } catch (const std::system_error& error) {
      throw std::system_error(
          error.code(),
          pair_in_words(*rails[made.request.rail], made.peer, made.request) + ": " + error.what());
    }
  }
}

void listen_on(std::span<const std::unique_ptr<VerbsRail>> rails) {
  for (const auto& rail : rails) {
    rail->manager.emplace(rail->port.address());
    rail->manager_port = rail->manager->listen();
  }
}

/// Of two ranks the lower one calls. Both name the lane as the lower one numbers it.
void start_or_expect(verbs::ConnectionManager& manager, Rank us, Lane lane, const VerbsLane& made,
                     verbs::PendingQueuePair pair) {
  const Rank peer = made.request.peer;
  const bool calls = us < peer;
  const std::string cookie = "rank " + std::to_string(std::min(us, peer)) + " > " +
                             std::to_string(std::max(us, peer)) + ", lane " +
                             std::to_string(calls ? lane : made.back);
  if (calls) {
    manager.start(std::move(pair), verbs::to_text(made.peer.address.gid), made.peer.manager_port,
                  cookie);
  } else {
    manager.expect(std::move(pair), cookie);
  }
}

/// Rail after rail, in the same order on all ranks, so that nobody waits in a circle.
void connect_by_manager(std::vector<VerbsLane>& lanes,
                        std::span<const std::unique_ptr<VerbsRail>> rails, Rank us,
                        std::vector<verbs::PendingQueuePair>& pairs,
                        const VerbsSettings& settings) {
  const auto deadline = std::chrono::steady_clock::now() + settings.connect_limit;
  for (unsigned number = 0; number < rails.size(); ++number) {
    std::vector<Lane> here;
    for (Lane lane = 0; lane < lanes.size(); ++lane) {
      if (lanes[lane].request.rail != number) continue;
      start_or_expect(*rails[number]->manager, us, lane, lanes[lane], std::move(pairs[lane]));
      here.push_back(lane);
    }
    std::vector<verbs::QueuePair> made = rails[number]->manager->finish(deadline, settings.look_up);
    for (std::size_t i = 0; i < here.size(); ++i) {
      lanes[here[i]].pair = std::make_unique<verbs::QueuePair>(std::move(made[i]));
    }
  }
}

}  // namespace

VerbsRail::VerbsRail(const verbs::Port& on, unsigned rail_number, int lanes)
    : port(on),
      number(rail_number),
      context(verbs::open_device(on.device)),
      domain(verbs::allocate_domain(*context)),
      completions(*context, std::max(1, lanes) * (kSendDepth + kReceiveDepth)) {}

std::vector<VerbsLane> connect_lanes(Exchange& exchange,
                                     std::span<const std::unique_ptr<VerbsRail>> rails,
                                     std::span<const LaneRequest> requests,
                                     const VerbsSettings& settings) {
  auto pairs = make_pairs(rails, requests, settings);
  if (settings.connect == Connect::rdmacm) listen_on(rails);
  const auto offers = all_gather(exchange, offers_of(rails, requests, pairs, settings.host));
  std::vector<VerbsLane> lanes(requests.size());
  for (Lane lane = 0; lane < lanes.size(); ++lane) {
    const auto& theirs = offers.at(requests[lane].peer);
    lanes[lane].request = requests[lane];
    lanes[lane].back = counterpart(requests, lane, exchange.rank(), requests_of(theirs));
    lanes[lane].peer = theirs[lanes[lane].back];
  }
  if (settings.connect == Connect::rdmacm) {
    connect_by_manager(lanes, rails, exchange.rank(), pairs, settings);
  } else {
    connect_by_exchange(lanes, rails, pairs);
  }
  exchange.all_gather({});  // nobody writes before everybody is connected
  return lanes;
}

}  // namespace railgauge::transport
