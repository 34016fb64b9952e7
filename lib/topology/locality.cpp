#include "topology/locality.hpp"

#include <algorithm>

namespace railgauge::topology {
namespace {

const NumaNode* find(const std::vector<NumaNode>& nodes, int number) {
  const auto found = std::ranges::find(nodes, number, &NumaNode::number);
  return found == nodes.end() ? nullptr : &*found;
}

CpuSet all_cpus(const std::vector<NumaNode>& nodes) {
  CpuSet all;
  for (const NumaNode& node : nodes) all.insert(node.cpus.begin(), node.cpus.end());
  return all;
}

std::string named(int node) {
  return "NUMA node " + std::to_string(node);
}

/// The one node that hwloc names, if it names one.
std::optional<int> by_hwloc(const LocalityClaims& claims) {
  if (!claims.hwloc || claims.hwloc->nodes.size() != 1) return std::nullopt;
  return *claims.hwloc->nodes.begin();
}

Locality known(const LocalityClaims& claims, const NumaNode& node) {
  Locality locality{node.number, node.cpus, ""};
  const auto hwloc = by_hwloc(claims);
  if (hwloc && *hwloc != node.number) {
    locality.remark = "hwloc puts it beside " + named(*hwloc) + ", sysfs beside " +
                      named(node.number) + ": sysfs counts, the driver allocates by it";
  } else if (node.cpus.empty()) {
    locality.cpus = claims.sysfs_cpus;
    locality.remark = named(node.number) + " has no cpus: those of local_cpulist count";
  } else if (!claims.sysfs_cpus.empty() && claims.sysfs_cpus != node.cpus) {
    locality.remark = "local_cpulist is " + cpu_list(claims.sysfs_cpus) + ", and not " +
                      cpu_list(node.cpus) + " of " + named(node.number) + ": the node counts";
  }
  return locality;
}

Locality guessed(const LocalityClaims& claims, const std::vector<NumaNode>& nodes) {
  const std::string unsaid = "sysfs says numa_node -1: ";
  if (nodes.size() == 1) {
    return {nodes[0].number, nodes[0].cpus, unsaid + named(nodes[0].number) + " is the only one"};
  }
  const auto hwloc = by_hwloc(claims);
  if (const NumaNode* node = hwloc ? find(nodes, *hwloc) : nullptr) {
    return {node->number, node->cpus, unsaid + "hwloc's answer counts, " + named(node->number)};
  }
  const auto same = std::ranges::find(nodes, claims.sysfs_cpus, &NumaNode::cpus);
  if (same != nodes.end() && !same->cpus.empty()) {
    return {same->number, same->cpus, unsaid + "local_cpulist is that of " + named(same->number)};
  }
  return {-1, all_cpus(nodes), unsaid + "where it is, is not known"};
}

}  // namespace

Locality locate(const LocalityClaims& claims, const std::vector<NumaNode>& nodes) {
  if (nodes.empty()) {
    return {claims.sysfs_node, claims.sysfs_cpus, "no NUMA nodes are known: sysfs counts"};
  }
  if (claims.sysfs_node < 0) return guessed(claims, nodes);
  if (const NumaNode* node = find(nodes, claims.sysfs_node)) return known(claims, *node);
  Locality elsewhere = guessed(claims, nodes);
  elsewhere.remark = "sysfs puts it beside " + named(claims.sysfs_node) +
                     ", which this host does not show: where it is, is not known";
  elsewhere.numa_node = -1;
  elsewhere.cpus = all_cpus(nodes);
  return elsewhere;
}

}  // namespace railgauge::topology
