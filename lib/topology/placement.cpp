#include "topology/placement.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "topology/cpu_set.hpp"

namespace railgauge::topology {
namespace {

/// Cores of a host that may be used, each with its hardware threads that may, and the ranks that
/// share them: those of a NUMA node, or of several that a rank has to itself.
struct RankPlace {
  std::vector<CpuSet> cores{};
  std::vector<Placement*> ranks{};  // in the order of ranks
};

/// A rank and the cpus near its NICs, as far as they may be used; not empty.
struct RankHome {
  Placement* rank = nullptr;
  CpuSet near{};
};

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

/// How many hardware threads a place has.
int threads_of(const RankPlace& place) {
  int count = 0;
  for (const CpuSet& core : place.cores) count += static_cast<int>(core.size());
  return count;
}

/// A place for every NUMA node with cpus that may be used, and one for the cpus of no node. Throws
/// std::invalid_argument if there is none.
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

/// Puts ranks on the places, evenly: no two on a core while another is free, then no two on a
/// hardware thread.
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

/// Puts ranks where they are at home. Those that are equally near to several places, and the only
/// ones there, get whole places if there are enough, else each is on one. Where others are at home,
/// they go where most room is left. A rank without a cpu of its own goes where cpus are free, with
/// a remark.
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

struct Range {
  int first = 0;
  int end = 0;
};

/// The i-th of `parts` equal parts of [0, n); if there are more parts than n, the one that it
/// shares.
Range part(int i, int parts, int n) {
  const int first = static_cast<int>(static_cast<long>(i) * n / parts);
  if (parts >= n) return {first, first + 1};
  return {first, static_cast<int>(static_cast<long>(i + 1) * n / parts)};
}

/// The NUMA node of each rail's NIC; -1 if it is not known.
std::vector<int> nodes_of(const HostMap& host, const std::vector<const Nic*>& nics) {
  std::vector<int> nodes;
  nodes.reserve(nics.size());
  for (const Nic* const nic : nics) {
    const RdmaDevice* const device = find_device(host, nic->device);
    nodes.push_back(device == nullptr ? -1 : device->locality.numa_node);
  }
  return nodes;
}

void share_rails(const std::vector<int>& rail_nodes, std::vector<Placement>& placed) {
  const int rails = static_cast<int>(rail_nodes.size());
  const int ranks = static_cast<int>(placed.size());
  if (rails == 0) return;
  std::vector<int> order(rail_nodes.size());
  std::iota(order.begin(), order.end(), 0);
  const auto node = [&](int rail) { return rail_nodes[static_cast<std::size_t>(rail)]; };
  if (ranks < rails) std::ranges::stable_sort(order, {}, node);
  for (int rank = 0; rank < ranks; ++rank) {
    const Range mine = part(rank, ranks, rails);
    auto& own = placed[static_cast<std::size_t>(rank)].rails;
    own.assign(order.begin() + mine.first, order.begin() + mine.end);
    std::ranges::sort(own);
  }
}

/// The node of most of a rank's rails, the lowest among equals; -1 if it is not known.
int home(const Placement& placement, const std::vector<int>& rail_nodes) {
  std::map<int, int> times;
  for (const int rail : placement.rails) ++times[rail_nodes[static_cast<std::size_t>(rail)]];
  if (times.empty()) return -1;
  return std::ranges::max_element(times, {}, &std::pair<const int, int>::second)->first;
}

bool drives_far_rails(const Placement& placement, const std::vector<int>& rail_nodes) {
  return std::ranges::any_of(placement.rails, [&](int rail) {
    return rail_nodes[static_cast<std::size_t>(rail)] != home(placement, rail_nodes);
  });
}

/// The cpus near a rank's NICs, as far as they may be used; all that may, if none may or are known.
CpuSet home_of(const HostMap& host, Placement& placement, const std::vector<const Nic*>& nics,
               const std::vector<int>& rail_nodes) {
  if (placement.rails.empty()) return host.allowed;
  const int node = home(placement, rail_nodes);
  const auto rail = std::ranges::find_if(
      placement.rails, [&](int one) { return rail_nodes[static_cast<std::size_t>(one)] == node; });
  const RdmaDevice* const device = find_device(host, nics[static_cast<std::size_t>(*rail)]->device);
  if (node < 0) add_remark(placement, "no NUMA node is nearest to its NIC");
  if (device == nullptr) return host.allowed;
  const NumaNode* const own = find_node(host, node);
  const bool has_cpus = own != nullptr && !own->cpus.empty();
  CpuSet near = common(has_cpus ? own->cpus : device->locality.cpus, host.allowed);
  if (!near.empty()) return near;
  add_remark(placement,
             "no cpu of NUMA node " + std::to_string(node) + ", where its NIC is, may be used");
  return host.allowed;
}

/// The ranks and where they are at home.
std::vector<RankHome> homes(const HostMap& host, const std::vector<const Nic*>& nics,
                            const std::vector<int>& rail_nodes, std::vector<Placement>& placed) {
  std::vector<RankHome> found;
  for (Placement& one : placed) {
    if (drives_far_rails(one, rail_nodes)) {
      add_remark(one, "some of its rails are on other NUMA nodes");
    }
    found.push_back({&one, home_of(host, one, nics, rail_nodes)});
  }
  return found;
}

std::string on(int ranks, int count, const char* what) {
  return std::to_string(ranks) + " ranks on " + std::to_string(count) + " " + what +
         (count == 1 ? "" : "s");
}

/// Gives the ranks of a place their shares of its cores.
void share_cores(const HostMap& host, const RankPlace& place) {
  const int count = static_cast<int>(place.ranks.size());
  if (count == 0) return;
  const std::vector<CpuShare> shares = shares_of(place.cores, count);
  for (std::size_t i = 0; i < place.ranks.size(); ++i) {
    Placement& mine = *place.ranks[i];
    mine.cpus = shares[i].cpus;
    if (shares[i].cpus_shared) {
      add_remark(mine, "cpus shared: " + on(count, threads_of(place), "cpu"));
    } else if (shares[i].core_shared) {
      add_remark(mine, "core shared: " + on(count, static_cast<int>(place.cores.size()), "core"));
    }
    mine.numa_node = node_of(host, mine.cpus);
    const NumaNode* const node = find_node(host, mine.numa_node);
    if (node != nullptr && node->memory_bytes > 0) mine.memory_node = node->number;
  }
}

}  // namespace

std::optional<PlacementMode> placement_mode(std::string_view word) {
  if (word == "rail") return PlacementMode::rail;
  if (word == "spread") return PlacementMode::spread;
  if (word == "none") return PlacementMode::none;
  return std::nullopt;
}

std::vector<Placement> place(const HostMap& host, const std::vector<Nic>& rails, int ranks,
                             PlacementMode mode) {
  if (ranks < 1) throw std::invalid_argument("there are no ranks to place");
  std::vector<Placement> placed(static_cast<std::size_t>(ranks));
  const std::vector<const Nic*> nics = first_of_rails(rails);  // of planes the first
  const std::vector<int> rail_nodes = nodes_of(host, nics);
  share_rails(rail_nodes, placed);
  if (mode == PlacementMode::none) return placed;
  std::vector<RankPlace> places = places_of(host);
  if (mode == PlacementMode::spread) {
    std::vector<Placement*> all;
    all.reserve(placed.size());
    for (Placement& one : placed) all.push_back(&one);
    places = spread(std::move(places), all);
  } else {
    places = settle(places, homes(host, nics, rail_nodes, placed));
  }
  for (const RankPlace& one : places) share_cores(host, one);
  return placed;
}

void add_remark(Placement& placement, const std::string& remark) {
  placement.remark += (placement.remark.empty() ? "" : "; ") + remark;
}

int node_of(const HostMap& host, const CpuSet& cpus) {
  const auto found = std::ranges::find_if(
      host.nodes, [&](const NumaNode& node) { return std::ranges::includes(node.cpus, cpus); });
  return cpus.empty() || found == host.nodes.end() ? -1 : found->number;
}

namespace {

/// The numbers after "rails=", "cpus=" or "memory=" of a line; empty if it is not there.
using Fields = std::map<std::string, CpuSet>;

struct Line {
  int rank = -1;
  Fields fields{};
};

Line parsed(const std::string& text) {
  std::istringstream words(text);
  Line line;
  words >> line.rank;
  if (!words || line.rank < 0) throw std::invalid_argument("it does not start with a rank");
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (equals == std::string::npos || (name != "rails" && name != "cpus" && name != "memory")) {
      throw std::invalid_argument("'" + word + "' is not rails=, cpus= or memory=");
    }
    const auto numbers = parse_cpu_list(word.substr(equals + 1));
    if (!numbers || numbers->empty()) throw std::invalid_argument("'" + word + "' has no numbers");
    line.fields[name] = *numbers;
  }
  return line;
}

Placement placement(const Fields& fields, const HostMap& host, int rails) {
  const auto numbers = [&](const char* name) {
    const auto found = fields.find(name);
    return found == fields.end() ? CpuSet{} : found->second;
  };
  const CpuSet driven = numbers("rails");
  const CpuSet memory = numbers("memory");
  Placement made{.rails = {driven.begin(), driven.end()}, .cpus = numbers("cpus")};
  if (driven.empty() || *driven.rbegin() >= rails) {
    throw std::invalid_argument("rails are 0 to " + std::to_string(rails - 1));
  }
  if (made.cpus.empty() || !std::ranges::includes(host.allowed, made.cpus)) {
    throw std::invalid_argument("the allowed cpus are " + cpu_list(host.allowed));
  }
  if (memory.size() > 1 || (!memory.empty() && find_node(host, *memory.begin()) == nullptr)) {
    throw std::invalid_argument("memory takes one NUMA node of this host");
  }
  made.numa_node = node_of(host, made.cpus);
  if (!memory.empty()) made.memory_node = *memory.begin();
  return made;
}

}  // namespace

std::vector<Placement> read_placement(const std::string& text, const HostMap& host, int rails,
                                      int ranks) {
  std::map<int, Placement> placed;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line.resize(std::min(line.find('#'), line.size()));
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    try {
      const Line one = parsed(line);
      if (one.rank >= ranks) throw std::invalid_argument("there is no such rank");
      if (!placed.emplace(one.rank, placement(one.fields, host, rails)).second) {
        throw std::invalid_argument("the rank is listed twice");
      }
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument("placement, line " + std::to_string(number) + ", '" + line +
                                  "': " + error.what());
    }
  }
  std::vector<Placement> all;
  for (int rank = 0; rank < ranks; ++rank) {
    if (!placed.contains(rank)) {
      throw std::invalid_argument("the placement has no rank " + std::to_string(rank) + " of " +
                                  std::to_string(ranks));
    }
    all.push_back(placed.at(rank));
  }
  return all;
}

std::vector<Placement> load_placement(const std::string& path, const HostMap& host, int rails,
                                      int ranks) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  if (in) return read_placement(text.str(), host, rails, ranks);
  throw std::invalid_argument("expected rail, spread, none or a readable file");
}

namespace {

/// The logical numbers, among the cores with an allowed cpu, of those that have one of `cpus`.
CpuSet core_numbers(const HostMap& map, const CpuSet& cpus) {
  CpuSet numbers;
  int number = 0;
  for (const CpuSet& core : map.cores) {
    if (common(core, map.allowed).empty()) continue;
    if (!common(core, cpus).empty()) numbers.insert(number);
    ++number;
  }
  return numbers;
}

}  // namespace

std::string rankfile(const std::vector<RankfileHost>& hosts) {
  std::string text;
  int rank = 0;
  for (const RankfileHost& host : hosts) {
    for (const Placement& placement : host.ranks) {
      const CpuSet cores = core_numbers(host.map, placement.cpus);
      if (cores.empty()) {
        throw std::invalid_argument("a rankfile needs every rank bound, and rank " +
                                    std::to_string(rank) + " is not");
      }
      text +=
          "rank " + std::to_string(rank++) + "=" + host.name + " slot=" + cpu_list(cores) + "\n";
    }
  }
  return text;
}

}  // namespace railgauge::topology
