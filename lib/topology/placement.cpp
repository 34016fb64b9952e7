#include "topology/placement.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

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

std::vector<int> nodes_with_cpus(const HostMap& host) {
  std::vector<int> nodes;
  for (const NumaNode& node : host.nodes) {
    if (!common(node.cpus, host.allowed).empty()) nodes.push_back(node.number);
  }
  return nodes;
}

std::vector<int> homes(const HostMap& host, PlacementMode mode, const std::vector<int>& rail_nodes,
                       const std::vector<Placement>& placed) {
  std::vector<int> found;
  const std::vector<int> nodes = nodes_with_cpus(host);
  const int ranks = static_cast<int>(placed.size());
  for (int rank = 0; rank < ranks; ++rank) {
    if (mode == PlacementMode::rail || nodes.empty()) {
      found.push_back(home(placed[static_cast<std::size_t>(rank)], rail_nodes));
    } else {
      const Range mine = part(rank, ranks, static_cast<int>(nodes.size()));
      found.push_back(nodes[static_cast<std::size_t>(mine.first)]);
    }
  }
  return found;
}

/// The allowed cores of a node, each with its allowed hardware threads; of the host for -1.
std::vector<CpuSet> allowed_cores(const HostMap& host, int number) {
  const NumaNode* const node = find_node(host, number);
  if (node == nullptr && number >= 0) return {};
  std::vector<CpuSet> cores;
  for (const CpuSet& core : node == nullptr ? host.cores : node->cores) {
    CpuSet threads = common(core, host.allowed);
    if (!threads.empty()) cores.push_back(std::move(threads));
  }
  return cores;
}

void add_remark(Placement& placement, const std::string& remark) {
  placement.remark += (placement.remark.empty() ? "" : "; ") + remark;
}

/// Gives the ranks that belong to one node their shares of its cores.
void share_cores(const HostMap& host, int number, const std::vector<Placement*>& ranks) {
  std::vector<CpuSet> cores = allowed_cores(host, number);
  std::string remark;
  if (number < 0) remark = "no NUMA node is nearest to its NIC";
  if (cores.empty()) {
    remark = "no cpu of NUMA node " + std::to_string(number) + ", where its NIC is, may be used";
    cores = allowed_cores(host, -1);
  }
  if (cores.empty()) throw std::invalid_argument("there are no known cpus to place ranks on");
  const int count = static_cast<int>(ranks.size());
  for (int i = 0; i < count; ++i) {
    Placement& mine = *ranks[static_cast<std::size_t>(i)];
    const Range share = part(i, count, static_cast<int>(cores.size()));
    for (int core = share.first; core < share.end; ++core) {
      mine.cpus.merge(CpuSet(cores[static_cast<std::size_t>(core)]));
    }
    if (!remark.empty()) add_remark(mine, remark);
    if (count > static_cast<int>(cores.size())) {
      add_remark(mine, "it shares cores: " + std::to_string(count) + " ranks on " +
                           std::to_string(cores.size()));
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
  for (Placement& one : placed) {
    if (mode == PlacementMode::rail && drives_far_rails(one, rail_nodes)) {
      add_remark(one, "some of its rails are on other NUMA nodes");
    }
  }
  const std::vector<int> where = homes(host, mode, rail_nodes, placed);
  std::map<int, std::vector<Placement*>> at;
  for (std::size_t rank = 0; rank < placed.size(); ++rank) at[where[rank]].push_back(&placed[rank]);
  for (const auto& [node, here] : at) share_cores(host, node, here);
  return placed;
}

int node_of(const HostMap& host, const CpuSet& cpus) {
  const auto found = std::ranges::find_if(
      host.nodes, [&](const NumaNode& node) { return std::ranges::includes(node.cpus, cpus); });
  return cpus.empty() || found == host.nodes.end() ? -1 : found->number;
}

}  // namespace railgauge::topology
