#include "topology/placement.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "topology/cpu_shares.hpp"
#include "topology/rank_places.hpp"

namespace railgauge::topology {
namespace {

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

/// The NUMA node of each rail's NIC, of planes the first one's; -1 if it is not known.
std::vector<int> nodes_of(const HostMap& host, const std::vector<Nic>& rails) {
  std::vector<int> nodes;
  nodes.reserve(rails.size());
  int before = -1;
  for (const Nic& nic : rails) {
    const bool plane = nic.rail >= 0 && std::exchange(before, nic.rail) == nic.rail;
    if (plane) continue;
    const RdmaDevice* const device = find_device(host, nic.device);
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
CpuSet home_of(const HostMap& host, Placement& placement, const std::vector<Nic>& nics,
               const std::vector<int>& rail_nodes) {
  if (placement.rails.empty()) return host.allowed;
  const int node = home(placement, rail_nodes);
  const auto rail = std::ranges::find_if(
      placement.rails, [&](int one) { return rail_nodes[static_cast<std::size_t>(one)] == node; });
  const RdmaDevice* const device = find_device(host, nics[static_cast<std::size_t>(*rail)].device);
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
std::vector<RankHome> homes(const HostMap& host, const std::vector<Nic>& nics,
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
  const std::vector<int> rail_nodes = nodes_of(host, rails);
  share_rails(rail_nodes, placed);
  if (mode == PlacementMode::none) return placed;
  std::vector<RankPlace> places = places_of(host);
  if (mode == PlacementMode::spread) {
    std::vector<Placement*> all;
    all.reserve(placed.size());
    for (Placement& one : placed) all.push_back(&one);
    places = spread(std::move(places), all);
  } else {
    places = settle(places, homes(host, rails, rail_nodes, placed));
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

}  // namespace railgauge::topology
