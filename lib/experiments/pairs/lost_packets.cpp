#include "experiments/pairs/lost_packets.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "diagnosis/diagnosis.hpp"
#include "experiments/pairs/pairs_plan.hpp"
#include "pairs/losses.hpp"
#include "telemetry/meaning.hpp"

namespace railgauge::runner {
namespace {

/// Data went that way: of times one sample tells nothing.
results::EdgeTimes edge_of(const DirectionFigures& direction, const AllNics& all) {
  const pairs::Nic& from = all.nics[direction.from];
  const pairs::Nic& to = all.nics[direction.to];
  results::EdgeTimes edge;
  edge.from = static_cast<int>(all.rank_of[direction.from]);
  edge.to = static_cast<int>(all.rank_of[direction.to]);
  edge.rail = from.rail;
  edge.plane = from.plane;
  edge.to_rail = to.rail;
  edge.to_plane = to.plane;
  edge.samples = 1;
  return edge;
}

/// Packets that the receiver noticed to be missing.
std::int64_t missed(const results::PairFigures& figures) {
  std::int64_t sum = 0;
  for (const auto& [name, by] : figures.receiver_events) {
    const auto meaning = telemetry::meaning_of(name);
    if (meaning && meaning->counted == telemetry::Counted::loss &&
        meaning->direction == finding::Direction::receive)
      sum += by;
  }
  return sum;
}

bool is_of_packets(const finding::Finding& finding) {
  return finding.cause == finding::Cause::packet_loss ||
         finding.cause == finding::Cause::corruption;
}

}  // namespace

void LostPackets::add(const std::vector<DirectionFigures>& directions,
                      std::vector<results::PortEvents> events) {
  const auto fails = [](const DirectionFigures& one) { return !one.figures.reason.empty(); };
  if (directions.empty() || std::ranges::any_of(directions, fails)) return;
  std::int64_t all = 0;
  for (const DirectionFigures& one : directions) {
    const std::int64_t sent_again = one.figures.retransmissions.value_or(0);
    all += sent_again;
    sent_again_[{one.from, one.to}] += sent_again;
    if (sent_again > 0) missed_[{one.from, one.to}] += missed(one.figures);
  }
  if (all == 0) return;
  if (rounds_.size() < kMostRounds) rounds_.emplace_back();
  results::CollectiveRow& round = rounds_.back();
  std::ranges::move(events, std::back_inserter(round.events));
  for (const DirectionFigures& one : directions) round.edges.push_back(edge_of(one, all_));
}

std::vector<finding::Finding> LostPackets::findings(const std::vector<results::Rank>& ranks) const {
  std::vector<finding::Finding> found = diagnosis::diagnose(ranks, rounds_);
  std::erase_if(found, [](const finding::Finding& one) { return !is_of_packets(one); });
  if (found.empty()) return found;
  const bool any_missed =
      std::ranges::any_of(missed_, [](const auto& way) { return way.second > 0; });
  const std::map<Nics, std::int64_t>& lost = any_missed ? missed_ : sent_again_;
  const auto packets = [&](Nics way) { return lost.contains(way) ? lost.at(way) : 0; };
  std::vector<pairs::PairLoss> losses;
  for (const auto& [way, by] : sent_again_) {
    const Nics back{way.second, way.first};
    const bool is_worse_back = packets(back) > packets(way);
    if (sent_again_.contains(back) &&
        (is_worse_back || (packets(back) == packets(way) && back < way)))
      continue;
    losses.push_back({endpoint_of(all_.nics[way.first]), endpoint_of(all_.nics[way.second]),
                      packets(way) + packets(back)});
  }
  return pairs::findings_of_losses(losses, found.front().cause);
}

}  // namespace railgauge::runner
