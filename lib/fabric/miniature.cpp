#include "fabric/miniature.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>

#include "fabric/document.hpp"

namespace railgauge::fabric {
namespace {

// One machine carries this much, at most so much a port; slower ports have no meaningful queues.
constexpr double kMachineGbps = 1.6;
constexpr double kMostGbps = 0.2;
constexpr double kLeastGbps = 0.01;

/// `number` x `times` / `by`, if it is whole.
std::optional<Count> scaled(Count number, Count times, Count by) {
  if (by == 0 || number * times % by != 0) return std::nullopt;
  return number * times / by;
}

/// Links of a pair, so that `links` go to switches above in the design's proportion of the two; to
/// at least two of them, if the design has two.
Count bundle_of(Count links, Count above, Count bundle) {
  const auto off = [&](Count one) {
    return std::abs(std::log(real(links) / real(one * one) * real(bundle) / real(above)));
  };
  Count found = 1;
  for (Count one = 2; one <= links; ++one) {
    if (links % one != 0 || (above > 1 && one == links)) continue;
    if (off(one) < off(found)) found = one;
  }
  return found;
}

/// The design with so many hosts on a leaf and, of three tiers, so many leaves of a rail in a pod.
std::optional<Fabric> shrunk(const Fabric& design, Count hosts, Count per_leaf, Count pod_blocks) {
  const Parts parts = parts_of(design);
  Fabric made = design;
  made.hosts = hosts;
  made.hosts_per_leaf = per_leaf;
  made.pod_blocks = pod_blocks;
  if (design.spines == 0) return made;
  const auto uplinks =
      scaled(parts_of(made).leaf_down_ports, parts.leaf_up_ports, parts.leaf_down_ports);
  if (!uplinks || *uplinks == 0) return std::nullopt;
  made.bundle = bundle_of(*uplinks, design.spines, design.bundle);
  made.spines = *uplinks / made.bundle;
  if (design.spines > 1 && made.spines == 1) return std::nullopt;
  if (design.cores == 0) return made;
  const auto up =
      scaled(parts_of(made).spine_down_ports, parts.spine_up_ports, parts.spine_down_ports);
  if (!up || *up == 0) return std::nullopt;
  made.core_bundle = bundle_of(*up, design.cores, design.core_bundle);
  made.cores = *up / made.core_bundle;
  return made;
}

double shape(const Fabric& fabric) {
  return std::log(real(divided_up(fabric.hosts, fabric.hosts_per_leaf)) /
                  real(fabric.hosts_per_leaf));
}

/// The one of all whose leaves are in the most similar proportion to their hosts.
std::optional<Fabric> best(const Fabric& design, Count hosts) {
  const Parts parts = parts_of(design);
  std::optional<Fabric> found;
  const auto offer = [&](Count per_leaf, Count pod_blocks) {
    const auto made = shrunk(design, hosts, per_leaf, pod_blocks);
    if (!made) return;
    const auto off = [&](const Fabric& one) { return std::abs(shape(one) - shape(design)); };
    if (!found || off(*made) < off(*found)) found = made;
  };
  for (Count per_leaf = 1; per_leaf <= std::min(hosts, design.hosts_per_leaf); ++per_leaf) {
    const Count blocks = hosts / per_leaf;
    if (hosts % per_leaf != 0 || blocks > parts.blocks || (parts.blocks > 1 && blocks < 2))
      continue;
    if (design.pod_blocks == 0) offer(per_leaf, 0);
    for (Count pods = 2; design.pod_blocks > 0 && pods <= std::min(blocks, parts.pods); ++pods) {
      if (blocks % pods == 0) offer(per_leaf, blocks / pods);
    }
  }
  return found;
}

[[noreturn]] void refuse(const Fabric& design, Count hosts) {
  std::string possible;
  int offered = 0;
  const Count most = std::min(design.hosts, kMostListedHosts);
  for (Count by = 1; by < most && offered < 3; ++by) {
    for (const Count other : {hosts > by ? hosts - by : 0, hosts + by}) {
      if (other < 2 || other > most || !best(design, other)) continue;
      possible += (possible.empty() ? "" : ", ") + std::to_string(other);
      ++offered;
    }
  }
  throw std::invalid_argument("no miniature of " + counted(hosts) +
                              " hosts keeps the design's uplinks per leaf" +
                              (possible.empty() ? "" : "; possible numbers of hosts: " + possible));
}

void slow_down(Fabric& fabric) {
  const double ports = real(nics_of(fabric) * fabric.planes);
  const double gbps = std::clamp(kMachineGbps / ports, kLeastGbps, kMostGbps);
  const double factor = gbps / fabric.port_gbps;
  for (double* const rate : {&fabric.port_gbps, &fabric.up_gbps, &fabric.core_gbps})
    *rate *= factor;
}

std::string kept(const Fabric& design, const Fabric& mini) {
  const auto ratios = [](const Fabric& fabric) {
    const Parts parts = parts_of(fabric);
    return counted(fabric.hosts) + " hosts, " + counted(parts.leaves) + " leaves of " +
           counted(parts.leaf_down_ports) + " NICs and " + counted(parts.leaf_up_ports) +
           " uplinks, " + counted(parts.spines) + " spines, " + number(oversubscription(fabric)) +
           ":1";
  };
  return "Miniature: " + ratios(mini) + "; of a design of " + ratios(design) + ".";
}

}  // namespace

Miniature miniature_of(const Fabric& design, Count hosts, Count dead_spines) {
  if (hosts < 2 || hosts > std::min(design.hosts, kMostListedHosts)) {
    throw std::invalid_argument("a miniature has from 2 to " +
                                counted(std::min(design.hosts, kMostListedHosts)) + " hosts, not " +
                                counted(hosts));
  }
  if (dead_spines > 0 && dead_spines >= design.spines) {
    throw std::invalid_argument("--fail spine=" + std::to_string(dead_spines) + ": a leaf has " +
                                std::to_string(design.spines) + " spines, and one has to be left");
  }
  if (joins_pods_directly(design)) {
    throw std::invalid_argument("a miniature has no links between spines: " + design.generator +
                                " has no miniature");
  }
  const auto found = best(design, hosts);
  if (!found) refuse(design, hosts);
  Miniature made{.fabric = *found};
  made.remarks.push_back(kept(design, made.fabric));
  if (dead_spines > 0) {
    const double share = real(dead_spines) / real(design.spines);
    const double dead =
        std::clamp(std::round(share * real(made.fabric.spines)), 1.0, real(made.fabric.spines - 1));
    made.dead_spines = static_cast<Count>(dead);
    made.remarks.push_back("Dead: " + number(100 * dead / real(made.fabric.spines), 3) +
                           " % of a leaf's spines; in the design " + number(100 * share, 3) +
                           " %.");
  }
  slow_down(made.fabric);
  return made;
}

nlohmann::ordered_json as_json(const Miniature& miniature) {
  nlohmann::ordered_json document = listed(miniature.fabric);
  std::set<std::string> dead;
  for (Count at = 0; at < miniature.dead_spines; ++at) {
    dead.insert(name_of(miniature.fabric, {Tier::spine, at}));
  }
  const auto keep = [&](const char* list, const char* field) {
    nlohmann::ordered_json kept = nlohmann::ordered_json::array();
    for (const auto& one : document[list]) {
      if (!dead.contains(one[field].get<std::string>())) kept.push_back(one);
    }
    document[list] = kept;
  };
  keep("switches", "name");
  keep("links", "b");
  keep("links", "a");
  std::string description;
  for (const std::string& remark : miniature.remarks) {
    description += (description.empty() ? "" : " ") + remark;
  }
  document["description"] = description;
  document["switching"] = {{"balance", miniature.balance}};
  return document;
}

}  // namespace railgauge::fabric
