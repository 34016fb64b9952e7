#include "runner/all_nics.hpp"

#include <set>
#include <string>
#include <utility>

#include "job/failure.hpp"
#include "job/start_up.hpp"

namespace railgauge::runner {
namespace {

void check_no_nic_is_shared(const std::vector<results::Rank>& ranks) {
  std::set<std::string> seen;
  for (const results::Rank& rank : ranks) {
    for (const results::RankRail& rail : rank.rails) {
      const std::string nic = rank.host + " " + rail.device + " port " + std::to_string(rail.port);
      if (seen.insert(nic + " " + rail.address).second) continue;
      throw job::RunFailure(results::Failure::Kind::usage,
                            "two ranks drive " + nic +
                                ": start one rank per host, which drives all of its NICs "
                                "(" +
                                job::launcher("mpirun") + " --map-by ppr:1:node)");
    }
  }
}

/// Every place that a rank has, and its number.
std::map<std::pair<int, int>, int> places_of(const std::vector<results::Rank>& ranks) {
  std::map<std::pair<int, int>, int> places;
  for (const results::Rank& rank : ranks) {
    for (const results::RankRail& rail : rank.rails) places[{rail.rail, rail.plane}] = 0;
  }
  int next = 0;
  for (auto& [place, number] : places) number = next++;
  return places;
}

}  // namespace

AllNics nics_of(const std::vector<results::Rank>& ranks) {
  check_no_nic_is_shared(ranks);
  std::map<std::string, int> ranks_on;
  for (const results::Rank& rank : ranks) ++ranks_on[rank.host];
  const auto places = places_of(ranks);
  AllNics all;
  all.places = static_cast<int>(places.size());
  for (const results::Rank& rank : ranks) {
    all.at.emplace_back();
    // Ranks that share a host's name are told apart by their numbers.
    const bool alone = ranks_on[rank.host] == 1;
    const std::string host = alone ? rank.host : rank.host + " rank " + std::to_string(rank.rank);
    for (const results::RankRail& rail : rank.rails) {
      all.at.back()[places.at({rail.rail, rail.plane})] = all.nics.size();
      all.rank_of.push_back(all.at.size() - 1);
      all.nics.push_back({host, rail.rail, rail.plane, rail.device, rail.port, rail.netdev,
                          rail.address, rail.link_gigabits_per_second,
                          rail.kind != results::DeviceKind::hardware});
    }
  }
  return all;
}

}  // namespace railgauge::runner
