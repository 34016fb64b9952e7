#include "topology/rank_places.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "topology/cpu_shares.hpp"

namespace railgauge::topology {
namespace {

/// The places that a rank is equally near to.
using Near = std::vector<std::size_t>;

std::vector<CpuSet> cores_within(const HostMap& host, const CpuSet& cpus) {
  std::vector<CpuSet> cores;
  for (const CpuSet& core : host.cores) {
    CpuSet threads = common(core, cpus);
    if (!threads.empty()) cores.push_back(std::move(threads));
  }
  return cores;
}

/// Hardware threads that are nobody's, less than none if ranks share them.
int room_of(const RankPlace& place) {
  return threads_of(place) - static_cast<int>(place.ranks.size());
}

Near places_with(const CpuSet& cpus, const std::vector<RankPlace>& places) {
  Near found;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const bool any = std::ranges::any_of(
        places[i].cores, [&](const CpuSet& core) { return !common(core, cpus).empty(); });
    if (any) found.push_back(i);
  }
  return found;
}

std::map<Near, std::vector<Placement*>> by_places(const std::vector<RankPlace>& places,
                                                  const std::vector<RankHome>& homes) {
  std::map<Near, std::vector<Placement*>> ranks;
  for (const RankHome& home : homes) {
    ranks[places_with(home.near, places)].push_back(home.rank);
  }
  return ranks;
}

bool overlap(const Near& left, const Near& right) {
  return std::ranges::find_first_of(left, right) != left.end();
}

/// The cores of near[first], before near[end].
RankPlace merged(const std::vector<RankPlace>& places, const Near& near, std::size_t first,
                 std::size_t end) {
  RankPlace all;
  for (std::size_t i = first; i < end; ++i) {
    const auto& cores = places[near[i]].cores;
    all.cores.insert(all.cores.end(), cores.begin(), cores.end());
  }
  return all;
}

/// Shares several places among ranks that are equally near to all of them, and are their only
/// ones: whole places if there are enough, else each rank is on one.
std::vector<RankPlace> shared(const std::vector<RankPlace>& places, const Near& near,
                              const std::vector<Placement*>& ranks) {
  std::vector<RankPlace> made;
  made.reserve(near.size());
  for (const std::size_t i : near) made.push_back(places[i]);
  if (ranks.size() >= near.size()) return spread(std::move(made), ranks);
  made.clear();
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    made.push_back(
        merged(places, near, i * near.size() / ranks.size(), (i + 1) * near.size() / ranks.size()));
    made.back().ranks = {ranks[i]};
  }
  return made;
}

/// Whether no other ranks are near to any of these places.
bool is_alone(const Near& near, const std::map<Near, std::vector<Placement*>>& ranks) {
  return std::ranges::none_of(
      ranks, [&](const auto& other) { return other.first != near && overlap(other.first, near); });
}

/// Puts ranks that have a choice where most room is left.
void choose_freest(const Near& near, const std::vector<Placement*>& ranks,
                   std::vector<RankPlace>& places) {
  for (Placement* const rank : ranks) {
    const auto freest =
        std::ranges::max_element(near, {}, [&](const std::size_t i) { return room_of(places[i]); });
    places[*freest].ranks.push_back(rank);
  }
}

/// Ranks without a cpu of their own move to where cpus are free.
void relieve(std::vector<RankPlace>& places) {
  while (true) {
    RankPlace& fullest = *std::ranges::min_element(places, {}, room_of);
    RankPlace& freest = *std::ranges::max_element(places, {}, room_of);
    if (room_of(fullest) >= 0 || room_of(freest) <= 0) return;
    Placement* const moved = fullest.ranks.back();
    fullest.ranks.pop_back();
    freest.ranks.push_back(moved);
    add_remark(*moved, "every cpu near its NIC is another rank's");
  }
}

}  // namespace

int threads_of(const RankPlace& place) {
  int count = 0;
  for (const CpuSet& core : place.cores) count += static_cast<int>(core.size());
  return count;
}

std::vector<RankPlace> places_of(const HostMap& host) {
  std::vector<RankPlace> places;
  CpuSet left = host.allowed;
  for (const NumaNode& node : host.nodes) {
    places.push_back({cores_within(host, common(node.cpus, host.allowed))});
    for (const int cpu : node.cpus) left.erase(cpu);
  }
  places.push_back({cores_within(host, left)});
  std::erase_if(places, [](const RankPlace& place) { return place.cores.empty(); });
  if (places.empty()) throw std::invalid_argument("there are no known cpus to place ranks on");
  return places;
}

std::vector<RankPlace> spread(std::vector<RankPlace> places, const std::vector<Placement*>& ranks) {
  std::vector<int> cores;
  std::vector<int> threads;
  for (const RankPlace& place : places) {
    cores.push_back(static_cast<int>(place.cores.size()));
    threads.push_back(threads_of(place));
  }
  const int count = static_cast<int>(ranks.size());
  const bool enough = count <= std::accumulate(cores.begin(), cores.end(), 0);
  const std::vector<int> counts = distributed(count, enough ? cores : threads);
  auto next = ranks.begin();
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i].ranks.assign(next, next + counts[i]);
    next += counts[i];
  }
  return places;
}

std::vector<RankPlace> settle(std::vector<RankPlace> places, const std::vector<RankHome>& homes) {
  const std::map<Near, std::vector<Placement*>> ranks = by_places(places, homes);
  std::vector<RankPlace> made;
  for (const auto& [near, here] : ranks) {
    if (near.size() == 1) places[near.front()].ranks = here;
  }
  for (const auto& [near, here] : ranks) {
    if (near.size() == 1) continue;
    if (!is_alone(near, ranks)) {
      choose_freest(near, here, places);
      continue;
    }
    for (RankPlace& one : shared(places, near, here)) made.push_back(std::move(one));
    for (const std::size_t i : near) places[i].cores.clear();
  }
  std::ranges::move(places, std::back_inserter(made));
  std::erase_if(made, [](const RankPlace& place) { return place.cores.empty(); });
  relieve(made);
  for (RankPlace& place : made) std::ranges::sort(place.ranks);
  return made;
}

}  // namespace railgauge::topology
